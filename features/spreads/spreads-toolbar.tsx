"use client";

import { Download, Plus } from "lucide-react";
import Form from "next/form";
import { useRouter } from "next/navigation";
import { useId } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { getButtonClass } from "@/components/ui/button";
import { Toolbar } from "@/components/ui/page-part";
import { AtField, useShownAt } from "@/components/ui/past";
import { withAt } from "@/components/ui/past-address";
import { keepAt } from "@/components/ui/past-address";
import { LinkTabs } from "@/components/ui/tabs";
import { MOST_SYMBOLS, type SpreadsView, toViewHref } from "@/features/spreads/url";
import { SPREAD_PERIODS } from "@/lib/history/spreads/spread-period";

const PERIOD_NAMES = { "1h": "1 hour", "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const;

/** The period, and a field to add a symbol. Links and a form, so that the address has the view. */
export function SpreadsToolbar({ view, unknown }: { view: SpreadsView; unknown: string }) {
  const at = useShownAt();
  return (
    <Toolbar>
      <LinkTabs
        label="Period"
        tabs={SPREAD_PERIODS.map((period) => ({
          href: toViewHref({ ...view, period }),
          text: PERIOD_NAMES[period],
          isCurrent: period === view.period,
        }))}
      />
      <a
        href={withAt(toViewHref({ ...view, lines: [] }).replace("/spreads", "/spreads/csv"), at)}
        download
        className={`ml-auto ${getButtonClass("quiet", "sm")}`}
      >
        <Download aria-hidden size={14} />
        CSV
      </a>
      <ApiCallButton
        of="Spreads"
        requests={[
          { path: "/v1/spread/compare", query: { symbols: view.symbols.join(","), period: view.period } },
          { path: "/v1/spread", query: { symbol: view.selected, period: view.period, include: "percentiles" } },
        ]}
      />
      {view.symbols.length < MOST_SYMBOLS ? (
        <AddSymbol view={view} unknown={unknown} />
      ) : (
        <p className="text-xs13 text-faint">At most {MOST_SYMBOLS} symbols are compared.</p>
      )}
    </Toolbar>
  );
}

function AddSymbol({ view, unknown }: { view: SpreadsView; unknown: string }) {
  const id = useId();
  const router = useRouter();
  return (
    // A new key empties the field once a symbol was added.
    <Form
      key={view.symbols.join()}
      action="/spreads"
      scroll={false}
      className="relative w-52 max-md:-order-1 max-md:flex-1"
    >
      <AtField />
      <input type="hidden" name="symbols" value={view.symbols.join(",")} />
      <input type="hidden" name="period" value={view.period} />
      <input type="hidden" name="sort" value={view.sort} />
      <input type="hidden" name="zone" value={view.zone} />
      <SymbolSelect
        value=""
        written={unknown}
        field="add"
        label="Add a symbol"
        placeholder="Add a symbol"
        className="w-full"
        errorId={unknown === "" ? null : `${id}-error`}
        onChange={(symbol) => {
          const next = { ...view, symbols: [...new Set([...view.symbols, symbol])], selected: symbol };
          router.push(keepAt(toViewHref(next)), { scroll: false });
        }}
      />
      <button
        type="submit"
        aria-label="Add"
        className="absolute top-1 right-1 grid size-6 place-items-center rounded-sm text-dim hover:bg-hover hover:text-ink max-md:size-8"
      >
        <Plus aria-hidden size={15} />
      </button>
      {unknown !== "" && (
        <p
          id={`${id}-error`}
          role="alert"
          className="absolute top-9 right-0 z-3 rounded-md border border-down bg-raised px-2.5 py-1.5 text-xs12 whitespace-nowrap text-down"
        >
          There is no symbol “{unknown.slice(0, 24)}”.
        </p>
      )}
    </Form>
  );
}
