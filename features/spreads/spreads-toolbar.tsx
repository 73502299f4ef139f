"use client";

import { LoaderCircle, Plus } from "lucide-react";
import Form from "next/form";
import Link, { useLinkStatus } from "next/link";
import { useId } from "react";
import { MOST_SYMBOLS, type SpreadsView, viewHref } from "@/features/spreads/url";
import { SPREAD_PERIODS } from "@/lib/history/spreads/spread-period";
import { instruments } from "@/lib/market/catalog";

const PERIOD_NAMES = { "1h": "1 hour", "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const;

/** Which period, and which further symbol. Links and a form, so that the page's address always says what it shows. */
export function SpreadsToolbar({ view, unknown }: { view: SpreadsView; unknown: string }) {
  return (
    <div className="board-toolbar">
      <nav aria-label="Period" className="board-tabs">
        {SPREAD_PERIODS.map((period) => (
          <Link
            key={period}
            href={viewHref({ ...view, period })}
            aria-current={period === view.period ? "true" : undefined}
            scroll={false}
            className="board-tab spread-period"
          >
            {PERIOD_NAMES[period]}
            <Pending />
          </Link>
        ))}
      </nav>
      {view.symbols.length < MOST_SYMBOLS ? (
        <AddSymbol view={view} unknown={unknown} />
      ) : (
        <p className="ml-auto text-[0.8125rem] text-faint">{MOST_SYMBOLS} symbols are compared at most.</p>
      )}
    </div>
  );
}

function Pending() {
  const { pending } = useLinkStatus();
  return pending && <LoaderCircle aria-hidden size={12} className="animate-spin text-accent-ink" />;
}

function AddSymbol({ view, unknown }: { view: SpreadsView; unknown: string }) {
  const id = useId();
  return (
    // A new key once something was added empties the field.
    <Form key={view.symbols.join()} action="/spreads" scroll={false} className="spread-add">
      <input type="hidden" name="symbols" value={view.symbols.join(",")} />
      <input type="hidden" name="period" value={view.period} />
      <input
        name="add"
        aria-label="Add a symbol"
        aria-describedby={unknown === "" ? undefined : `${id}-error`}
        aria-invalid={unknown !== "" || undefined}
        placeholder="Add a symbol"
        list={`${id}-symbols`}
        defaultValue={unknown}
        required
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="spread-add-input"
      />
      <datalist id={`${id}-symbols`}>
        {instruments.map(({ symbol, name }) => (
          <option key={symbol} value={symbol}>
            {name}
          </option>
        ))}
      </datalist>
      <button type="submit" aria-label="Add" className="spread-add-button">
        <Plus aria-hidden size={15} />
      </button>
      {unknown !== "" && (
        <p id={`${id}-error`} role="alert" className="spread-add-error">
          No symbol is called “{unknown.slice(0, 24)}”.
        </p>
      )}
    </Form>
  );
}
