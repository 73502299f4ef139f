"use client";

import { X } from "lucide-react";
import { StateMark } from "@/components/shared/state-mark";
import { Link } from "@/components/ui/link";
import { type Column, createActionsColumn, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import { formatCurrent, formatMean, formatPips, formatRelation } from "@/features/spreads/spread-text";
import type { SpreadNumbers, SpreadRow, SpreadTableData } from "@/features/spreads/types";
import { type SpreadSort, type SpreadsView, toViewHref, toViewQuery, withoutSymbol } from "@/features/spreads/url";

const REFRESH_MS = 2_000;

const SORT_WORDS: Readonly<Record<SpreadSort, string>> = {
  avg: "tightest on average first",
  symbol: "by symbol",
  current: "tightest now first",
  median: "lowest median first",
  p95: "lowest 95 % first",
  max: "lowest highest first",
};

/** The chosen symbols, the tightest first. A click on a symbol shows its details below. */
export function SpreadTable({ view, initial }: { view: SpreadsView; initial: SpreadTableData }) {
  const { selected, sort } = view;
  const url = `/spreads/table?${toViewQuery({ ...view, lines: [] })}`;
  const { data = initial, isOffline } = useFresh(url, REFRESH_MS, initial);
  return (
    <>
      <div data-offline={isOffline || undefined}>
        <Table
          caption={`Spreads in pips, ${SORT_WORDS[sort]}`}
          cellClassName="border-b border-line pl-4 max-md:pl-1.5 max-[22rem]:pl-1"
          headingClassName="border-t text-xs12"
          rowProps={({ symbol, state }) => ({ className: getRowClass(symbol === selected, state) })}
          columns={getColumns(view)}
          rows={data.rows}
          getKey={({ symbol }) => symbol}
        />
      </div>
      {isOffline && (
        <p role="alert" className="px-4 py-2 text-xs13 text-down">
          The server is not responding. These spreads may be out of date. Trying again.
        </p>
      )}
    </>
  );
}

function getRowClass(isSelected: boolean, state: SpreadRow["state"]): string {
  const selected = isSelected ? "bg-panel shadow-[inset_2px_0_0_var(--accent)]" : "";
  return `hover:bg-hover max-md:[&>*]:h-11 in-data-offline:hatched ${selected} ${state === "stale" ? "hatched" : ""}`;
}

/** Returns the class of the newest spread: faint if its quote is old. */
export function getCurrentClass({ state }: SpreadNumbers): string {
  const isLive = state === "live" || state === "delayed";
  return `font-mono in-data-offline:text-faint ${isLive ? "" : "text-faint"}`;
}

function getColumns(view: SpreadsView): Column<SpreadRow>[] {
  const number = { isNumeric: true, cellClassName: "font-mono" } as const;
  const sortedBy = (sort: SpreadSort) => ({
    sortHref: toViewHref({ ...view, sort }),
    isSorted: view.sort === sort,
  });
  return [
    {
      heading: "Symbol",
      cell: (row) => <SymbolLink row={row} view={view} />,
      className: "w-[26%] max-w-0 max-md:w-auto max-md:max-w-32 max-md:pl-3",
      cellClassName: "truncate",
      ...sortedBy("symbol"),
    },
    {
      heading: "Now",
      isNumeric: true,
      cell: ({ current }) => formatCurrent(current),
      cellClassName: getCurrentClass,
      ...sortedBy("current"),
    },
    { heading: "Average", cell: ({ avg }) => formatMean(avg), ...number, ...sortedBy("avg") },
    {
      heading: "5 %",
      tip: "One in twenty seconds was as tight or tighter",
      cell: ({ p5 }) => formatPips(p5),
      className: "max-md:hidden",
      ...number,
    },
    { heading: "Median", cell: ({ median }) => formatPips(median), ...number, ...sortedBy("median") },
    {
      heading: "95 %",
      tip: "One in twenty seconds was wider",
      cell: ({ p95 }) => formatPips(p95),
      ...number,
      ...sortedBy("p95"),
    },
    { heading: "Lowest", cell: ({ min }) => formatPips(min), className: "max-md:hidden", ...number },
    {
      heading: "Highest",
      cell: ({ max }) => formatPips(max),
      className: "max-md:hidden",
      ...number,
      ...sortedBy("max"),
    },
    {
      heading: "Now vs average",
      cell: ({ current, state, avg }) => (state === "live" || state === "delayed" ? formatRelation(current, avg) : "–"),
      className: "max-lg:hidden",
      ...number,
    },
    {
      heading: "State",
      cell: ({ state }) =>
        state === null ? (
          <span className="text-faint">no quote yet</span>
        ) : (
          <StateMark state={state} className="in-data-offline:invisible" />
        ),
      className: "pl-10 max-md:hidden",
    },
    {
      ...createActionsColumn<SpreadRow>((row) => <RemoveLink symbol={row.symbol} view={view} />),
      className: "w-13 pr-4 max-md:w-11 max-md:pr-1.5",
    },
  ];
}

function SymbolLink({ row: { symbol, name }, view }: { row: SpreadRow; view: SpreadsView }) {
  return (
    <Link
      href={toViewHref({ ...view, selected: symbol })}
      aria-current={symbol === view.selected ? "true" : undefined}
      scroll={false}
      className="flex items-baseline gap-2 rounded-sm max-md:leading-11"
    >
      <span translate="no" className="min-w-17 max-md:min-w-14 truncate font-semibold tracking-[0.01em]">
        {symbol}
      </span>
      <span className="min-w-0 shrink-[1000] truncate text-xs12 text-dim max-md:hidden">{name}</span>
    </Link>
  );
}

function RemoveLink({ symbol, view }: { symbol: string; view: SpreadsView }) {
  if (view.symbols.length === 1) return null;
  return (
    <Link
      href={toViewHref(withoutSymbol(view, symbol))}
      aria-label={`Remove ${symbol}`}
      prefetch={false}
      scroll={false}
      className="inline-grid size-6 place-items-center rounded-sm align-middle text-faint hover:text-ink max-md:h-11 max-md:w-8"
    >
      <X aria-hidden size={14} />
    </Link>
  );
}
