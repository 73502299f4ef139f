import { SPREAD_PERIODS, type SpreadPeriod } from "@/lib/history/spreads/spread-period";

/** The view in the page's address: the symbols, the period, and the symbol shown in detail. */
export interface SpreadsView {
  readonly symbols: readonly string[];
  readonly period: SpreadPeriod;
  /** One of `symbols`. */
  readonly selected: string;
}

/** The API compares as many at once. */
export const MOST_SYMBOLS = 20;
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

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the page's address. Invalid values are ignored. `find` returns the canonical symbol of a spelling. */
export function readView(params: Params, find: (spelling: string) => string | undefined): SpreadsView {
  const named = getText(params.symbols)
    .split(",")
    .flatMap((spelling) => find(spelling.trim()) ?? []);
  const chosen = named.length > 0 ? named : DEFAULT_SYMBOLS;
  const added = find(getText(params.add).trim());
  const symbols = [...new Set(added === undefined ? chosen : [...chosen, added])].slice(0, MOST_SYMBOLS);
  const period = SPREAD_PERIODS.find((each) => each === params.period) ?? DEFAULT_PERIOD;
  const selected = [added, find(getText(params.symbol))].find((each) => each !== undefined && symbols.includes(each));
  return { symbols, period, selected: selected ?? (symbols[0] as string) };
}

/** Returns the address of a view, without its defaults. */
export function toViewHref({ symbols, period, selected }: SpreadsView): string {
  const params = new URLSearchParams();
  if (symbols.join() !== DEFAULT_SYMBOLS.join()) params.set("symbols", symbols.join(","));
  if (period !== DEFAULT_PERIOD) params.set("period", period);
  if (selected !== symbols[0]) params.set("symbol", selected);
  const search = params.toString().replaceAll("%2C", ",");
  return search === "" ? "/spreads" : `/spreads?${search}`;
}

/** Returns the view without one of its symbols, unless it is the last. */
export function withoutSymbol(view: SpreadsView, symbol: string): SpreadsView {
  const rest = view.symbols.filter((each) => each !== symbol);
  const [first] = rest;
  if (first === undefined) return view;
  return { ...view, symbols: rest, selected: view.selected === symbol ? first : view.selected };
}

function getText(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}
