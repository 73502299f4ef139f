"use client";

import { AlarmClock, CalendarDays, ChartCandlestick, ChartNoAxesColumn, Gauge, type LucideIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { Age } from "@/components/shared/market-clock";
import { StateMark } from "@/components/shared/state-mark";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import { type SymbolStore, useSymbolValue } from "@/features/quotes/symbol-store";
import type { BoardInstrument, BoardRow, SourceBoard, SourceLine } from "@/features/quotes/types";
import { findBestPrice } from "@/lib/book/quote";
import { formatSentPrice, formatSpreadPips, getSpreadPips } from "@/lib/market/price";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  chart: ChartCandlestick,
  spread: ChartNoAxesColumn,
  indicators: Gauge,
  alert: AlarmClock,
  calendar: CalendarDays,
};

/** What an opened row shows: the ways to the symbol's other pages, and the quotes of its sources. */
export function RowDetail({ instrument, rows }: Omit<SourceTableProps, "sources">) {
  const { symbol } = instrument;
  const fresh = useFresh<SourceBoard>(`/quotes/${encodeURIComponent(symbol)}/sources`, REFRESH_MS);
  return (
    <>
      <nav aria-label={`Pages of ${symbol}`} className="flex flex-wrap gap-x-1 gap-y-1 pt-2 pr-4 pl-12.5 max-md:px-1">
        {listSymbolLinks(symbol, fresh.data?.currencies ?? []).map(({ kind, href, text }) => {
          const Icon = ICONS[kind] as LucideIcon;
          return (
            <Link
              key={kind}
              href={href}
              prefetch={false}
              className="inline-flex h-8 items-center gap-1.5 rounded-md px-2.5 text-xs13 text-dim hover:bg-hover hover:text-ink max-md:h-10"
            >
              <Icon aria-hidden size={14} strokeWidth={1.75} className="text-faint" />
              {text}
            </Link>
          );
        })}
      </nav>
      <RowSources instrument={instrument} rows={rows} {...fresh} />
    </>
  );
}

/** Loaded with the first opened row, because only its chart needs the chart library. */
const PriceChart = dynamic(() => import("@/features/quotes/price-chart").then((module) => module.PriceChart), {
  ssr: false,
  loading: () => <div className={PRICE_CHART_CLASS} />,
});

const PRICE_CHART_CLASS = "flex h-40 max-w-[40rem] min-w-0 flex-[1_1_18rem] flex-col";
const REFRESH_MS = 1_000;

interface SourceTableProps {
  instrument: BoardInstrument;
  rows: SymbolStore<BoardRow>;
  sources: readonly SourceLine[];
}

type RowSourcesProps = ReturnType<typeof useFresh<SourceBoard>> & Omit<SourceTableProps, "sources">;

/** Every source's quote of one symbol, fetched while its row is open. */
function RowSources({ instrument, rows, data, isOffline }: RowSourcesProps) {
  const { symbol } = instrument;
  if (data === undefined) {
    return isOffline ? (
      <p role="alert" className="px-4 py-3 text-down">
        The sources of {symbol} could not be loaded. Trying again.
      </p>
    ) : (
      <div className="grid gap-2 px-4 py-3 md:pl-16">
        <span className="sr-only">Loading the sources of {symbol}</span>
        <Skeleton className="h-4 w-80 max-w-full" />
        <Skeleton className="h-4 w-80 max-w-full" />
      </div>
    );
  }
  if (data.sources.length === 0)
    return <p className="px-4 py-3 text-dim md:pl-16">No source has quoted {symbol} yet.</p>;
  return (
    <div
      className="flex flex-wrap gap-x-14 gap-y-3 py-3 pr-4 pl-15 max-md:px-3 max-md:pt-2"
      data-offline={isOffline || undefined}
    >
      <ScrollRegion label={`Sources of ${symbol}`} className="-outline-offset-2">
        <SourceTable instrument={instrument} rows={rows} sources={data.sources} />
      </ScrollRegion>
      <PriceChart instrument={instrument} className={PRICE_CHART_CLASS} />
    </div>
  );
}

/** It shows the row's own quote, which comes more often than those of the other sources. */
function SourceTable({ instrument, rows, sources }: SourceTableProps) {
  const { symbol, digits } = instrument;
  const row = useSymbolValue(rows, symbol);
  const { lines, best } = joinRow(sources, row, instrument);
  return (
    <Table
      look="dense"
      className="text-xs13"
      caption={`Quotes of ${symbol} by source`}
      columns={getColumns(best, row?.source, digits)}
      rows={lines}
      getKey={({ source }) => source}
      rowProps={() => ({ className: "in-data-offline:[&>td]:text-faint" })}
      cellClassName="pl-8 max-md:pl-1.5 first:min-w-44 max-md:first:min-w-28 first:pl-0"
      foot={best && <BestPrice best={best} digits={digits} />}
    />
  );
}

/** Over the live sources; may be crossed, with a negative spread. */
type Best = { readonly bid: number; readonly ask: number; readonly spreadPips: number } | null;

/** The sources with the row's quote as that of the served one, so that a symbol has one price on the board, and the best. */
export function joinRow(
  sources: readonly SourceLine[],
  row: SourceLine | undefined,
  grid: Pick<BoardInstrument, "digits" | "pipSize">,
): { readonly lines: readonly SourceLine[]; readonly best: Best } {
  if (row === undefined) return { lines: sources, best: null };
  const isListed = sources.some(({ source }) => source === row.source);
  const lines = isListed ? sources.map((line) => (line.source === row.source ? row : line)) : [row, ...sources];
  const { bid, ask } = findBestPrice(lines, row, grid.digits);
  return { lines, best: { bid, ask, spreadPips: getSpreadPips(bid, ask, grid) } };
}

function getColumns(best: Best, served: string | undefined, digits: number): Column<SourceLine>[] {
  const mark = (isBest: boolean) => `font-mono ${isBest ? "text-accent-ink" : ""}`;
  return [
    {
      heading: "Source",
      cell: ({ source }) => (
        <>
          <span translate="no">{source}</span>
          {source === served && (
            <span className="ml-2 rounded-sm border border-line px-1 text-xs11 text-dim max-md:ml-1">served</span>
          )}
        </>
      ),
    },
    {
      heading: "Bid",
      isNumeric: true,
      cell: ({ bid }) => formatSentPrice(bid, digits),
      cellClassName: ({ bid }) => mark(best?.bid === bid),
    },
    {
      heading: "Ask",
      isNumeric: true,
      cell: ({ ask }) => formatSentPrice(ask, digits),
      cellClassName: ({ ask }) => mark(best?.ask === ask),
    },
    {
      heading: "Spread",
      isNumeric: true,
      cell: (line) => formatSpreadPips(line.spreadPips),
      cellClassName: "font-mono",
    },
    { heading: "Age", isNumeric: true, cell: ({ timeMs }) => <Age timeMs={timeMs} />, cellClassName: "font-mono" },
    {
      heading: "State",
      // On a phone only the dot is shown; its shape depends on the state.
      headingClassName: "max-md:text-[0px]",
      cell: ({ state }) => <StateMark state={state} className="max-md:text-[0px] in-data-offline:hidden" />,
    },
  ];
}

function BestPrice({ best, digits }: { best: NonNullable<Best>; digits: number }) {
  const cell = "h-7 border-t border-line pl-8 font-normal whitespace-nowrap text-dim max-md:pl-1.5";
  const number = `${cell} text-right font-mono tabular-nums in-data-offline:text-faint`;
  return (
    <tfoot>
      <tr>
        <th scope="row" className={`${cell} text-left first:pl-0`}>
          Best of live sources
        </th>
        <td translate="no" className={number}>
          {formatSentPrice(best.bid, digits)}
        </td>
        <td translate="no" className={number}>
          {formatSentPrice(best.ask, digits)}
        </td>
        <td translate="no" className={number}>
          {formatSpreadPips(best.spreadPips)}
        </td>
        <td colSpan={2} className={cell}>
          {best.spreadPips < 0 && <span className="text-warn">crossed</span>}
        </td>
      </tr>
    </tfoot>
  );
}

/** A page with more about a symbol. */
interface SymbolLink {
  readonly kind: "chart" | "spread" | "indicators" | "alert" | "calendar";
  readonly href: string;
  readonly text: string;
}

/** The pages with more about a symbol. The calendar shows the events of its currencies, if they have any. */
export function listSymbolLinks(symbol: string, currencies: readonly string[]): SymbolLink[] {
  const links: SymbolLink[] = [
    { kind: "chart", href: `/symbols/${symbol}`, text: "Chart" },
    { kind: "spread", href: `/spreads?symbols=${symbol}`, text: "Spread" },
    { kind: "indicators", href: `/indicators?symbol=${symbol}`, text: "Indicators" },
    { kind: "alert", href: `/alerts?kind=price&symbol=${symbol}`, text: "Alert…" },
  ];
  if (currencies.length === 0) return links;
  const href = `/calendar?range=week&currencies=${currencies.join(",")}`;
  return [...links, { kind: "calendar", href, text: `Events of ${currencies.join(" and ")}` }];
}
