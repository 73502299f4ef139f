import type { Spotline } from "./client.js";
import { followOffset, followTime, splitHours, type Time, toIso } from "./pages.js";
import type { CallOptions } from "./transport.js";
import type { CalendarEvent, Candle, Data, Query, Tick } from "./types.js";

/** Iterations over all pages of an endpoint. */

export type Reading = Data<"getIndicatorHistory">["series"][number];
export type ListedSymbol = Data<"getSymbols">["symbols"][number];

/** A range of time; `to` is not in it, and the present by default. */
interface Range {
  readonly from: Time;
  readonly to?: Time | undefined;
}

export type BarQuery = Omit<Query<"getOhlc">, "from" | "to" | "limit"> & Range;
export type ReadingQuery = Omit<Query<"getIndicatorHistory">, "from" | "to" | "limit"> & Range;
export type TickQuery = { readonly symbol: string } & Range;
export type EventQuery = Omit<Query<"getCalendar">, "offset" | "limit">;
export type SymbolQuery = Omit<Query<"getSymbols">, "offset" | "limit">;

const PAGE = { bars: 1_000, readings: 5_000, events: 500, symbols: 500 } as const;

/** Where the next page begins, from servers that say so. */
const readNextFrom = (data: object) => (data as { next_from?: string | null }).next_from;

export function iterateBars(
  client: Pick<Spotline, "ohlc">,
  { from, to, ...query }: BarQuery,
  options?: CallOptions,
): AsyncGenerator<Candle, void, undefined> {
  const rest = { ...query, limit: PAGE.bars, ...(to === undefined ? {} : { to: toIso(to) }) };
  return followTime(from, PAGE.bars, async (start) => {
    const { data } = await client.ohlc({ ...rest, from: start }, options);
    return { rows: data.candles, nextFrom: readNextFrom(data) };
  });
}

export function iterateReadings(
  client: Pick<Spotline, "indicatorHistory">,
  { from, to, ...query }: ReadingQuery,
  options?: CallOptions,
): AsyncGenerator<Reading, void, undefined> {
  const rest = { ...query, limit: PAGE.readings, ...(to === undefined ? {} : { to: toIso(to) }) };
  return followTime(from, PAGE.readings, async (start) => {
    const { data } = await client.indicatorHistory({ ...rest, from: start }, options);
    return { rows: data.series, nextFrom: readNextFrom(data) };
  });
}

export async function* iterateTicks(
  client: Pick<Spotline, "ticks">,
  { from, to = new Date(), symbol }: TickQuery,
  options?: CallOptions,
): AsyncGenerator<Tick, void, undefined> {
  for (const hour of splitHours(from, to)) yield* (await client.ticks({ symbol, ...hour }, options)).data.ticks;
}

export function iterateEvents(
  client: Pick<Spotline, "calendar">,
  query: EventQuery = {},
  options?: CallOptions,
): AsyncGenerator<CalendarEvent, void, undefined> {
  return followOffset(PAGE.events, async (offset) => {
    const { data } = await client.calendar({ ...query, offset, limit: PAGE.events }, options);
    return { rows: data.events, hasMore: data.pagination.has_more };
  });
}

export function iterateSymbols(
  client: Pick<Spotline, "symbols">,
  query: SymbolQuery = {},
  options?: CallOptions,
): AsyncGenerator<ListedSymbol, void, undefined> {
  return followOffset(PAGE.symbols, async (offset) => {
    const { data } = await client.symbols({ ...query, offset, limit: PAGE.symbols }, options);
    return { rows: data.symbols, hasMore: data.pagination.has_more };
  });
}
