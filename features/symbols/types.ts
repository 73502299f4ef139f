import type { IndicatorCategory } from "@/lib/analytics/indicators/definition";
import type { QuoteState } from "@/lib/book/freshness";
import type { Impact } from "@/lib/calendar/event";
import type { Category, TradingHours } from "@/lib/market/instrument";
import type { PriceSide } from "@/lib/market/price";
import type { SessionName } from "@/lib/market/sessions/session-hours";
import type { Timeframe } from "@/lib/market/timeframe";

/** The fields of an instrument that its page shows. */
export interface SymbolInstrument {
  readonly symbol: string;
  readonly name: string;
  readonly category: Category;
  readonly digits: number;
  readonly pipSize: number;
  readonly tradingHours: TradingHours;
}

/** A bar as it is sent: a list, because field names would be most of an answer. */
export type WireBar = readonly [timeMs: number, open: number, high: number, low: number, close: number, volume: number];

/** Bars of one symbol and timeframe, oldest first, with the values of indicators. */
export interface BarPage {
  readonly bars: readonly WireBar[];
  /** Whether the last bar is still filling. */
  readonly isForming: boolean;
  /** Whether there are older bars than these. */
  readonly hasOlder: boolean;
  /** The value of each indicator at each bar, by its name; null without one, as at the bar that is still filling. */
  readonly values: Readonly<Record<string, readonly (number | null)[]>>;
}

/** A quote as the page shows it. */
export interface PageQuote {
  readonly source: string;
  readonly bid: number;
  readonly ask: number;
  readonly spreadPips: number;
  readonly timeMs: number;
  readonly state: QuoteState;
}

/** What changes with every price. */
export interface LiveSymbol {
  /** The market's time. Ages are computed from it. */
  readonly nowMs: number;
  /** Null before the first quote. */
  readonly quote: PageQuote | null;
  /** The quotes of all sources, in priority order. */
  readonly sources: readonly PageQuote[];
  /** The best bid and ask over the live sources, which may cross. */
  readonly best: { readonly bid: number; readonly ask: number; readonly spreadPips: number } | null;
  /** The timeframe and the price of the bars, and the compared symbol, whose bar is of the bid. */
  readonly timeframe: Timeframe;
  readonly price: PriceSide;
  readonly compare: string | null;
  /** The newest bar, which may be closed; null before the first, and where none of seconds is filling. */
  readonly bar: WireBar | null;
  /** The newest bar of the compared symbol; null without one. */
  readonly compared: WireBar | null;
}

/** How the chart draws an indicator. */
export interface IndicatorLook {
  readonly name: string;
  readonly description: string;
  readonly category: IndicatorCategory;
  /** The pane below the prices that it shares with its relatives; null for a line over the prices. */
  readonly pane: string | null;
  readonly decimals: number;
  /** Its lowest and highest possible value; null if unbounded. */
  readonly range: readonly [number, number] | null;
  readonly shape: "line" | "dots" | "columns";
}

/** A session's hours on the chart. */
export interface SessionBand {
  readonly name: SessionName;
  /** UTC milliseconds, end excluded. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** The line that its colour has at the foot of the prices, counted from below. */
  readonly row: number;
}

/** An economic event of one of the symbol's currencies. */
export interface ChartEvent {
  readonly id: string;
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly currency: string;
  readonly title: string;
  readonly impact: Impact;
  readonly forecast: string;
  readonly previous: string;
  /** Null before the release, and on plans without figures. */
  readonly actual: string | null;
}

/** An active alert on the price of a symbol: its level or line, as a drawing of this kind and these points. */
export interface ChartAlert {
  readonly id: string;
  readonly name: string;
  readonly kind: "horizontal-line" | "trend-line" | "ray" | "extended-line";
  readonly points: readonly (readonly [timeMs: number, price: number])[];
  /** The drawing that it moves with; null for a level or a line of its own. */
  readonly drawing: string | null;
  /** The price that is compared with the level: "bid", "ask" or "mid". */
  readonly price: string;
}

/** What the chart shows around its bars. */
export interface ChartMarks {
  readonly bands: readonly SessionBand[];
  readonly events: readonly ChartEvent[];
  /** The mean spread of each bar in pips, oldest first. */
  readonly spreads: readonly (readonly [timeMs: number, pips: number])[];
}

/** What one chart of a symbol shows at first. */
export interface ChartData {
  readonly instrument: SymbolInstrument;
  /** The indicators of the list, and the chosen members of families. */
  readonly looks: readonly IndicatorLook[];
  /** How many of them are of the list, which come first. */
  readonly listed: number;
  /** Which data the account's plan includes. */
  readonly mayRead: { readonly indicatorHistory: boolean; readonly calendar: boolean };
  /** Null where they could not be read with the page: the chart loads them. */
  readonly bars: BarPage | null;
  readonly live: LiveSymbol;
}
