"use client";

import { createContext, type ReactNode, useContext } from "react";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";

/** A spelling that names no instrument, or several. */
export interface UnknownSpelling {
  readonly spelling: string;
  readonly isAmbiguous: boolean;
  /** Symbols that may be meant. */
  readonly near: readonly string[];
}

const SpellingContext = createContext<UnknownSpelling | null>(null);

/** Passes the spelling to the not-found page, which Next renders without properties. Null for a known symbol. */
export function UnknownSpellingProvider({ value, children }: { value: UnknownSpelling | null; children: ReactNode }) {
  return <SpellingContext value={value}>{children}</SpellingContext>;
}

/** The page of a symbol that does not exist, with those that may be meant. */
export function UnknownSymbol() {
  const unknown = useContext(SpellingContext);
  const text = (unknown?.spelling ?? "").slice(0, 24);
  const near = unknown?.near ?? [];
  return (
    <EmptyState
      art="search"
      heading="h1"
      title={unknown?.isAmbiguous === true ? `“${text}” has several meanings` : `There is no symbol “${text}”`}
      action={
        <Link href="/quotes" className={getButtonClass("secondary")}>
          See all symbols
        </Link>
      }
    >
      {near.length === 0 ? (
        "Any usual spelling works: “eur/usd”, “EURUSD.pro”, “gold”, “DAX”."
      ) : (
        <>
          Did you mean{" "}
          {near.map((symbol, index) => (
            <span key={symbol}>
              {index > 0 && (index === near.length - 1 ? " or " : ", ")}
              <Link href={`/symbols/${symbol}`} className="text-ink underline underline-offset-[3px]">
                {symbol}
              </Link>
            </span>
          ))}
          ?
        </>
      )}
    </EmptyState>
  );
}
