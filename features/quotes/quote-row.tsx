"use client";

import { ChevronRight, Star } from "lucide-react";
import dynamic from "next/dynamic";
import { memo, useLayoutEffect, useRef, useState } from "react";
import { Age } from "@/components/shared/market-clock";
import { RowNews } from "@/components/shared/news-mark";
import { StateMark } from "@/components/shared/state-mark";
import type { BoardColumn } from "@/features/quotes/columns";
import { useExtras } from "@/features/quotes/extras";
import { SPARK_HEIGHT, SPARK_WIDTH } from "@/features/quotes/spark-lines";
import { type SymbolStore, useSymbolPart, useSymbolValue } from "@/features/quotes/symbol-store";
import type { BoardInstrument, BoardRow, Move } from "@/features/quotes/types";
import type { QuoteState } from "@/lib/book/freshness";
import { computeDayChange, getDayPosition, getDayReference, type TradingDay } from "@/lib/market/day-change";
import { countDigits, formatSentPrice, formatSpreadPips } from "@/lib/market/price";

/** Most visits open no row. */
const RowDetail = dynamic(() => import("@/features/quotes/row-detail").then((module) => module.RowDetail));

interface QuoteRowProps {
  instrument: BoardInstrument;
  rows: SymbolStore<BoardRow>;
  columns: readonly BoardColumn[];
  /** Its place among all rows, from 1, where not all are in the page; undefined where they are. */
  place: number | undefined;
  expanded: boolean;
  /** Whether the symbol is in the list that the star belongs to, and that list's name. */
  starred: boolean;
  listName: string;
  /** Whether the row can be moved within its list. */
  isMovable: boolean;
  onExpand: (symbol: string) => void;
  /** What a click on the row opens: its details, or its symbol elsewhere. */
  opens: "details" | "symbol";
  isMarked: boolean;
  onStar: (symbol: string) => void;
}

const getState = (row: BoardRow | undefined): QuoteState | undefined => row?.state;

/** With more digits, prices and changes are written smaller. */
const MANY_DIGITS = 7;

/**
 * One symbol. It subscribes to its own row of the store only, so that the ticks of other symbols do not render it. Its own
 * ticks render the cells but not the row.
 */
export const QuoteRow = memo(function QuoteRow(props: QuoteRowProps) {
  const { instrument, rows, columns, place, expanded, starred, listName, isMovable, onExpand, onStar } = props;
  const { opens, isMarked } = props;
  const { symbol, name } = instrument;
  const state = useSymbolPart(rows, symbol, getState);
  const detailId = `sources-${symbol}`;
  return (
    <>
      <tr
        role="row"
        className="board-row"
        data-symbol={symbol}
        data-state={state}
        data-long={instrument.digits > MANY_DIGITS || undefined}
        // The first is the heading.
        aria-rowindex={place === undefined ? undefined : place + 1}
        data-expanded={expanded || undefined}
        data-marked={isMarked || undefined}
        draggable={isMovable || undefined}
      >
        <td role="cell" className="cell-star">
          <button
            type="button"
            aria-pressed={starred}
            aria-label={`Star ${symbol}`}
            title={starred ? `Remove from ${listName}` : `Add to ${listName}`}
            onClick={() => onStar(symbol)}
            className="star-button"
          >
            <Star aria-hidden size={14} strokeWidth={1.5} fill={starred ? "currentColor" : "none"} />
          </button>
        </td>
        <th role="rowheader" scope="row" className="cell-symbol">
          <button
            type="button"
            data-row-button
            aria-expanded={opens === "details" ? expanded : undefined}
            aria-current={isMarked ? "true" : undefined}
            aria-controls={expanded ? detailId : undefined}
            aria-keyshortcuts={isMovable ? "Alt+ArrowUp Alt+ArrowDown" : undefined}
            onClick={() => onExpand(symbol)}
            className="symbol-button"
          >
            <ChevronRight aria-hidden size={14} className="symbol-chevron" />
            <span translate="no" className="symbol-code">
              {symbol}
            </span>
            <RowNews currencies={instrument.currencies} />
            <span className="symbol-name">{name}</span>
          </button>
        </th>
        <LiveCells instrument={instrument} rows={rows} columns={columns} />
      </tr>
      {expanded && (
        <tr role="row" className="board-detail">
          <td role="cell" colSpan={columns.length + 2} id={detailId} className="block">
            <RowDetail instrument={instrument} rows={rows} />
          </td>
        </tr>
      )}
    </>
  );
});

interface LiveCellsProps extends Pick<QuoteRowProps, "rows" | "columns"> {
  instrument: BoardInstrument;
}

const LiveCells = memo(function LiveCells({ instrument, rows, columns }: LiveCellsProps) {
  const row = useSymbolValue(rows, instrument.symbol) ?? null;
  return <QuoteCells key={row === null ? "empty" : "filled"} row={row} instrument={instrument} columns={columns} />;
});

interface CellsProps {
  row: BoardRow | null;
  instrument: BoardInstrument;
  columns: readonly BoardColumn[];
}

/** The cells of one row, from its newest quote. */
function QuoteCells({ row, instrument, columns }: CellsProps) {
  // Moves from before the row was rendered must not flash.
  const [seen] = useState({ bid: row?.bidMoves ?? 0, ask: row?.askMoves ?? 0 });
  return columns.map((column) => (
    <Cell key={column} column={column} row={row} instrument={instrument} seenMoves={seen} />
  ));
}

interface CellProps {
  column: BoardColumn;
  row: BoardRow | null;
  instrument: BoardInstrument;
  seenMoves: { readonly bid: number; readonly ask: number };
}

function Cell({ column, row, instrument, seenMoves }: CellProps) {
  const { symbol, digits, pipSize } = instrument;
  switch (column) {
    case "bid":
    case "ask":
      return (
        <td role="cell" translate="no" className={`cell-${column} numerals`}>
          {row === null ? (
            <span className="pr-1.5 text-faint">–</span>
          ) : (
            <Price
              value={row[column]}
              digits={digits}
              pipSize={pipSize}
              move={row[`${column}Move`]}
              flashes={row[`${column}Moves`] - seenMoves[column]}
            />
          )}
        </td>
      );
    case "spread":
      return <SpreadCell symbol={symbol} row={row} />;
    case "usual":
      return <UsualCell symbol={symbol} />;
    case "change":
      return <ChangeCell row={row} instrument={instrument} />;
    case "percent":
      return <PercentCell row={row} instrument={instrument} />;
    case "range":
      return <RangeCell row={row} instrument={instrument} />;
    case "spark":
      return <SparkCell symbol={symbol} />;
    case "age":
      return (
        <td role="cell" translate="no" className="cell-age numerals">
          {row === null ? (
            <span className="text-faint">–</span>
          ) : (
            <span>
              <Age timeMs={row.timeMs} />
            </span>
          )}
        </td>
      );
    case "state":
      return (
        <td role="cell" className="cell-state">
          {row === null ? (
            <span className="text-faint">no quote yet</span>
          ) : (
            <StateMark state={row.state} className="in-data-offline:hidden" />
          )}
        </td>
      );
    case "source":
      return (
        <td role="cell" translate="no" className="cell-source">
          {row?.source}
        </td>
      );
  }
}

interface PriceProps {
  value: number;
  digits: number;
  pipSize: number;
  move: Move;
  /** The number of moves since this cell was rendered. Every new number is one flash. */
  flashes: number;
}

/** A price with its pips large. An arrow and a colour show the direction of the last move, and a tint the move itself. */
const Price = memo(function Price({ value, digits, pipSize, move, flashes }: PriceProps) {
  const { lead, pips, pipette } = splitPrice(value, Math.max(digits, countDigits(value)), pipSize);
  const price = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (flashes > 0 && price.current !== null) flash(price.current);
  }, [flashes]);
  return (
    <span ref={price} className="price numerals" data-move={move === 1 ? "up" : move === -1 ? "down" : undefined}>
      <span className="price-lead">{lead}</span>
      {pips !== "" && <span className="price-pips">{pips}</span>}
      {pipette !== "" && <span className="price-pipette">{pipette}</span>}
    </span>
  );
});

/** A price as trading screens show it: "1.08" small, "52" large, "3" raised. */
export interface PriceParts {
  readonly lead: string;
  readonly pips: string;
  /** Fractions of a pip; empty where a pip is the smallest step. */
  readonly pipette: string;
}

/**
 * Splits a price with `digits` decimals and a pip of `pipSize` price units. If a pip is not a power of ten of points,
 * the whole price is in `lead`.
 */
export function splitPrice(price: number, digits: number, pipSize: number): PriceParts {
  const points = Math.round(price * 10 ** digits);
  const pointsPerPip = Math.round(pipSize * 10 ** digits);
  const pipetteDigits = Math.round(Math.log10(pointsPerPip));
  const fixed = price.toFixed(digits);
  if (points < 0 || pointsPerPip < 1 || 10 ** pipetteDigits !== pointsPerPip) {
    return { lead: fixed, pips: "", pipette: "" };
  }
  const text = String(points).padStart(Math.max(digits + 1, pipetteDigits + 2), "0");
  const pipsStart = text.length - pipetteDigits - 2;
  // The decimal point belongs to the digits on its left.
  const cut = (from: number, to: number): string => {
    const point = text.length - digits;
    if (digits === 0 || point <= from || point > to) return text.slice(from, to);
    return `${text.slice(from, point)}.${text.slice(point, to)}`;
  };
  return {
    lead: cut(0, pipsStart),
    pips: cut(pipsStart, pipsStart + 2),
    pipette: cut(pipsStart + 2, text.length),
  };
}

/** How long a moved price is tinted: less than the time between two updates of the board, so that each update shows. */
const FLASH_MS = 180;

let lit: Element[] = [];

/**
 * Tints an element for a moment. All that are tinted in one update end together. An animation for each would cost style,
 * layers and paint in every frame: with a hundred prices, more than everything else on the board.
 */
export function flash(element: Element): void {
  if (lit.length === 0) setTimeout(end, FLASH_MS);
  lit.push(element);
  element.setAttribute("data-flash", "");
}

function end(): void {
  for (const element of lit) element.removeAttribute("data-flash");
  lit = [];
}

const MINUS = "−";

/** "2026-01-14 22:00 UTC" */
const formatMinute = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** A number with its sign: "+0.00120", "−1.52", "0.00". */
function formatSigned(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? text : `${value > 0 ? "+" : MINUS}${text}`;
}

function getColour(value: number): string {
  return value > 0 ? "text-up" : value < 0 ? "text-down" : "text-dim";
}

interface DayCellProps {
  row: BoardRow | null;
  instrument: BoardInstrument;
}

function describeReference(day: TradingDay, digits: number): string {
  const price = formatSentPrice(getDayReference(day), digits);
  return day.previousClose === null
    ? `From ${price}, the first bid since ${formatMinute(day.startMs)} (17:00 in New York)`
    : `From ${price}, the last bid before ${formatMinute(day.startMs)} (17:00 in New York)`;
}

function ChangeCell({ row, instrument: { digits } }: DayCellProps) {
  const change = row?.day && computeDayChange(row.day, row.bid, digits).change;
  return (
    <td
      role="cell"
      translate="no"
      className={`cell-change numerals ${getColour(change ?? 0)}`}
      title={row?.day ? describeReference(row.day, digits) : undefined}
    >
      {change == null ? "–" : formatSigned(change, Math.max(digits, countDigits(change)))}
    </td>
  );
}

function PercentCell({ row, instrument: { digits } }: DayCellProps) {
  const percent = row?.day && computeDayChange(row.day, row.bid, digits).percent;
  return (
    <td role="cell" translate="no" className={`cell-percent numerals ${getColour(percent ?? 0)}`}>
      {percent == null ? "–" : `${formatSigned(percent, 2)} %`}
    </td>
  );
}

/** The day's low and high with the bid between them. */
function RangeCell({ row, instrument: { digits } }: DayCellProps) {
  if (!row?.day) return <td role="cell" className="cell-range" />;
  const { low, high } = row.day;
  // Whole percents: smaller moves cannot be seen, and would draw the row again.
  const percent = Math.round(getDayPosition(row.day, row.bid) * 100);
  return (
    <td role="cell" className="cell-range">
      <DayRange low={formatSentPrice(low, digits)} high={formatSentPrice(high, digits)} percent={percent} />
    </td>
  );
}

const DayRange = memo(function DayRange({ low, high, percent }: { low: string; high: string; percent: number }) {
  return (
    <span className="day-range" title={`Day’s low ${low}, high ${high}`}>
      <span className="day-bound numerals">
        <span className="sr-only">low </span>
        <span translate="no">{low}</span>
      </span>
      <span aria-hidden className="day-track">
        <span className="day-mark" style={{ left: `${percent}%` }} />
      </span>
      <span className="day-bound numerals">
        <span className="sr-only">high </span>
        <span translate="no">{high}</span>
      </span>
    </span>
  );
});

/** The spread now. One that is wider than usual is marked with an arrow, a colour and a word. */
function SpreadCell({ symbol, row }: { symbol: string; row: BoardRow | null }) {
  const usual = useSymbolValue(useExtras().usual, symbol);
  if (row === null) {
    return (
      <td role="cell" translate="no" className="cell-spread numerals text-faint">
        –
      </td>
    );
  }
  const isWide = usual !== undefined && row.spreadPips > usual[1];
  return (
    <td
      role="cell"
      className="cell-spread numerals"
      data-wide={isWide || undefined}
      title={isWide ? `Wider than usual: ${formatUsual(usual)} pips in 90 % of the last 7 days` : undefined}
    >
      {isWide && <span className="sr-only">wider than usual: </span>}
      <span translate="no">{formatSpreadPips(row.spreadPips)}</span>
    </td>
  );
}

function UsualCell({ symbol }: { symbol: string }) {
  const usual = useSymbolValue(useExtras().usual, symbol);
  return (
    <td role="cell" translate="no" className="cell-usual numerals text-faint">
      {usual === undefined ? "–" : formatUsual(usual)}
    </td>
  );
}

function formatUsual([low, high]: readonly [number, number]): string {
  const [from, to] = [low.toFixed(1), high.toFixed(1)];
  return from === to ? from : `${from}–${to}`;
}

const COLOURS = { "1": "stroke-up", "0": "stroke-dim", "-1": "stroke-down" } as const;

/** The day's prices as a small line, with the price that the day is measured from. */
function SparkCell({ symbol }: { symbol: string }) {
  const shape = useSymbolValue(useExtras().sparks, symbol);
  return (
    <td role="cell" className="cell-spark">
      {shape !== undefined && (
        <svg aria-hidden viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} preserveAspectRatio="none" className="spark">
          {shape.referenceY !== null && (
            <path d={`M0 ${shape.referenceY}H${SPARK_WIDTH}`} className="stroke-edge" strokeDasharray="2 3" />
          )}
          <path d={shape.path} className={COLOURS[`${shape.direction}`]} strokeWidth={1.25} />
        </svg>
      )}
    </td>
  );
}
