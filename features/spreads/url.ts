import { SPREAD_PERIODS, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { isZone } from "@/lib/time/zone-offset";

/** The view in the page's address. */
export interface SpreadsView {
  readonly symbols: readonly string[];
  readonly period: SpreadPeriod;
  /** The symbol shown in detail: one of `symbols`. */
  readonly selected: string;
  readonly sort: SpreadSort;
  /** What the chart draws: "EURUSD" for the served quotes, "EURUSD:Broker" for a source. Empty for the selected symbol. */
  readonly lines: readonly string[];
  /** IANA name: the clock of the week. */
  readonly zone: string;
}

/** The columns by which rows are sorted, the tightest first. */
const SPREAD_SORTS = ["avg", "symbol", "current", "median", "p95", "max"] as const;
export type SpreadSort = (typeof SPREAD_SORTS)[number];

/** The API compares as many at once. */
export const MOST_SYMBOLS = 20;
/** As many as there are colours of lines. */
export const MOST_LINES = 8;
export const DEFAULT_SYMBOLS: readonly string[] = [
  "EURUSD",
  "GBPUSD",
  "USDJPY",
  "AUDUSD",
  "USDCAD",
  "USDCHF",
  "XAUUSD",
];
const DEFAULT_PERIOD: SpreadPeriod = "24h";
/** The trading day ends at 17:00 in New York, so wide spreads stay in one row all year. */
const DEFAULT_ZONE = "America/New_York";

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the page's address. Invalid values are ignored. `find` returns the canonical symbol of a spelling. */
export function readView(params: Params, find: (spelling: string) => string | undefined): SpreadsView {
  const named = listNames(params.symbols).flatMap((spelling) => find(spelling) ?? []);
  const chosen = named.length > 0 ? named : DEFAULT_SYMBOLS;
  const added = find(getText(params.add).trim());
  const symbols = [...new Set(added === undefined ? chosen : [...chosen, added])].slice(0, MOST_SYMBOLS);
  const selected = [added, find(getText(params.symbol))].find((each) => each !== undefined && symbols.includes(each));
  const zone = getText(params.zone);
  return {
    symbols,
    period: SPREAD_PERIODS.find((each) => each === params.period) ?? DEFAULT_PERIOD,
    selected: selected ?? (symbols[0] as string),
    sort: SPREAD_SORTS.find((each) => each === params.sort) ?? "avg",
    lines: keepLines(listNames(params.lines), symbols),
    zone: zone !== "" && isZone(zone) ? zone : DEFAULT_ZONE,
  };
}

/** Returns the query of a view, without its defaults: "symbols=XAUUSD&period=7d". */
export function toViewQuery({ symbols, period, selected, sort, lines, zone }: SpreadsView): string {
  const params = new URLSearchParams();
  if (symbols.join() !== DEFAULT_SYMBOLS.join()) params.set("symbols", symbols.join(","));
  if (period !== DEFAULT_PERIOD) params.set("period", period);
  if (selected !== symbols[0]) params.set("symbol", selected);
  if (sort !== "avg") params.set("sort", sort);
  if (lines.length > 0) params.set("lines", lines.join(","));
  if (zone !== DEFAULT_ZONE) params.set("zone", zone);
  return params.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
}

/** Returns the address of a view, without its defaults. */
export function toViewHref(view: SpreadsView): string {
  const query = toViewQuery(view);
  return query === "" ? "/spreads" : `/spreads?${query}`;
}

/** Returns the view without one of its symbols, unless it is the last. */
export function withoutSymbol(view: SpreadsView, symbol: string): SpreadsView {
  const rest = view.symbols.filter((each) => each !== symbol);
  const [first] = rest;
  if (first === undefined) return view;
  return {
    ...view,
    symbols: rest,
    selected: view.selected === symbol ? first : view.selected,
    lines: keepLines(view.lines, rest),
  };
}

/** Returns the lines of the chart, of which there is always one. */
export function getLines({ lines, selected }: SpreadsView): readonly string[] {
  return lines.length > 0 ? lines : [selected];
}

/** Returns the view with a line added to the chart, or removed from it; unchanged for a ninth line. */
export function withLineToggled(view: SpreadsView, line: string): SpreadsView {
  const shown = getLines(view);
  const lines = shown.includes(line) ? shown.filter((each) => each !== line) : [...shown, line];
  return lines.length > MOST_LINES ? view : { ...view, lines };
}

function keepLines(lines: readonly string[], symbols: readonly string[]): readonly string[] {
  const isKnown = (line: string) => symbols.includes(line.split(":")[0] as string);
  return [...new Set(lines)].filter(isKnown).slice(0, MOST_LINES);
}

function listNames(value: string | string[] | undefined): string[] {
  return getText(value)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function getText(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}
