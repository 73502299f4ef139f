import type { StrengthLine, WidestPair } from "@/features/strength/data";
import type { DayQuotaLine } from "@/features/usage/data";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import type { QuoteState } from "@/lib/book/freshness";
import type { CalendarEvent } from "@/lib/calendar/event";
import type { DataMode } from "@/lib/market/bar";
import type { BarState } from "@/lib/market/expected-bars";
import type { SessionName } from "@/lib/market/sessions/session-hours";

/** Everything on the overview. All times are UTC milliseconds. */
export interface OverviewData {
  /** The market's time. */
  readonly nowMs: number;
  readonly sessions: readonly SessionNow[];
  readonly calendar: CalendarPart;
  /** One for each shown timeframe; null until the bars are read. */
  readonly strength: readonly StrengthNow[] | null;
  /** How far the history is while it is still being filled; null once it is, and where it is not known. */
  readonly history: { readonly done: number; readonly total: number } | null;
  readonly market: MarketSummary;
  /** The 95th percentile of each symbol's spread over seven days, in pips; null until it is computed. */
  readonly usual: Readonly<Record<string, number>> | null;
  /** The decimals of each symbol's prices. */
  readonly digits: Readonly<Record<string, number>>;
  readonly sources: readonly SourceNow[];
  /** The account's own parts; each is null while it cannot be read. */
  readonly usage: UsagePart | null;
  readonly notices: NoticesPart | null;
  readonly alerts: AlertsPart | null;
  readonly start: FirstSteps | null;
}

export interface UsagePart {
  readonly nowMs: number;
  readonly quotas: readonly DayQuotaLine[];
}

export interface SessionNow {
  readonly name: SessionName;
  readonly isOpen: boolean;
  readonly isHoliday: boolean;
  readonly isWeekend: boolean;
  /** When an open session began; null of a closed one. */
  readonly openedAtMs: number | null;
  /** When it closes, or opens next. */
  readonly changesAtMs: number;
}

/** The next events of high impact, or the plans that include the calendar. */
export type CalendarPart =
  | { readonly isLocked: true; readonly plans: string }
  | { readonly isLocked: false; readonly isSimulated: boolean; readonly events: readonly NextEvent[] };

export type NextEvent = Pick<CalendarEvent, "id" | "currency" | "title" | "timeMs" | "forecast" | "previous">;

export interface StrengthNow {
  readonly timeframe: HeatmapTimeframe;
  /** Strongest first; null while too few bars have been recorded. */
  readonly lines: readonly Pick<StrengthLine, "currency" | "strength">[] | null;
  readonly pair: WidestPair | null;
  /** The latest bar behind them; null without one. `closedMs` in UTC milliseconds. */
  readonly bar: { readonly closedMs: number; readonly state: BarState } | null;
}

/** What the prices of all symbols amount to. Only symbols with a live or delayed price count. */
export interface MarketSummary {
  /** The largest changes since 17:00 in New York. */
  readonly rising: readonly Mover[];
  readonly falling: readonly Mover[];
  /** Spreads above their usual range, the widest against it first. */
  readonly wide: readonly WideSpread[];
  readonly wideCount: number;
  /** The number of symbols with a live or delayed price. */
  readonly moving: number;
}

export interface Mover {
  readonly symbol: string;
  /** The bid with the symbol's digits. */
  readonly bid: string;
  readonly percent: number;
}

export interface WideSpread {
  readonly symbol: string;
  readonly pips: number;
  /** The 95th percentile. */
  readonly usual: number;
}

/** The quotes of one source, by their state. */
export interface SourceNow {
  readonly name: string;
  readonly mode: DataMode;
  readonly counts: Readonly<Record<QuoteState, number>>;
  /** The time of its newest price; null without one. */
  readonly newestMs: number | null;
}

export interface NoticesPart {
  /** The number of notices that are not dismissed. */
  readonly count: number;
  readonly newest: readonly { readonly id: string; readonly title: string; readonly href: string }[];
}

export interface AlertsPart {
  readonly nowMs: number;
  /** The number of alerts that can fire. */
  readonly armed: number;
  /** The alerts that fired last, newest first. */
  readonly fired: readonly { readonly id: string; readonly name: string; readonly atMs: number }[];
}

/** How far an account is on its way to the first call. */
export interface FirstSteps {
  readonly hasKey: boolean;
  /** The latest call of any key; null before the first. */
  readonly call: CallMade | null;
}

export interface CallMade {
  readonly atMs: number;
  readonly endpoint: string | null;
  /** The HTTP status of the answer. */
  readonly status: number | null;
}
