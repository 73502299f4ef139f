"use client";

import { X } from "lucide-react";
import { StateMark } from "@/components/shared/state-mark";
import { Link } from "@/components/ui/link";
import { type Column, createActionsColumn, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import { formatPips, formatRelation } from "@/features/spreads/spread-text";
import type { SpreadNumbers, SpreadRow, SpreadTableData } from "@/features/spreads/types";
import { type SpreadsView, toViewHref, withoutSymbol } from "@/features/spreads/url";

const REFRESH_MS = 2_000;

/** The chosen symbols, tightest on average first. A click on a symbol shows its details below. */
export function SpreadTable({ view, initial }: { view: SpreadsView; initial: SpreadTableData }) {
  const { symbols, period, selected } = view;
  const url = `/spreads/table?symbols=${symbols.join(",")}&period=${period}`;
  const { data = initial, isOffline } = useFresh(url, REFRESH_MS, initial);
  return (
    <>
      <div data-offline={isOffline || undefined}>
        <Table
          caption="Spreads in pips, tightest on average first"
          cellClassName="border-b border-line pl-4 max-md:pl-1.5"
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
  return [
    {
      heading: "Symbol",
      cell: (row) => <SymbolLink row={row} view={view} />,
      className: "w-[34%] max-md:w-auto max-md:pl-3",
    },
    { heading: "Now", isNumeric: true, cell: ({ current }) => formatPips(current, 1), cellClassName: getCurrentClass },
    { heading: "Average", cell: ({ avg }) => formatPips(avg), ...number },
    { heading: "Lowest", cell: ({ min }) => formatPips(min), ...number },
    { heading: "Highest", cell: ({ max }) => formatPips(max), ...number },
    {
      heading: "Now vs average",
      cell: ({ current, state, avg }) => (state === "live" || state === "delayed" ? formatRelation(current, avg) : "–"),
      className: "max-md:hidden",
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
      <span className="min-w-17 flex-none font-semibold tracking-[0.01em]">{symbol}</span>
      <span className="truncate text-xs12 text-dim max-md:hidden">{name}</span>
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
