import type { ChartEvent } from "@/features/symbols/types";
import type { Signal } from "@/lib/analytics/indicators/definition";
import type { Trend } from "@/lib/analytics/strength/strength";
import type { SessionName } from "@/lib/market/sessions/session-hours";
import type { Timeframe } from "@/lib/market/timeframe";

/** The figures beside the chart of a symbol. */
export interface PanelData {
  /** The spreads of the last 24 hours in pips; null without a recorded second. */
  readonly spread: SpreadFigures | null;
  readonly sessions: readonly SessionState[];
  /** Null if the account's plan does not include the calendar. */
  readonly events: readonly ChartEvent[] | null;
  /** Of the base and of the quote currency, as far as they are among the eight majors. */
  readonly strength: readonly StrengthFigure[];
  readonly summary: SummaryFigures | null;
}

export interface SpreadFigures {
  readonly avg: number;
  readonly p5: number;
  readonly p95: number;
}

export interface SessionState {
  readonly name: SessionName;
  readonly isOpen: boolean;
  /** When it closes or opens next: UTC milliseconds. */
  readonly changesAtMs: number;
}

export interface StrengthFigure {
  readonly currency: string;
  /** 0 to 10. */
  readonly strength: number;
  readonly change: number;
  readonly trend: Trend;
}

export interface SummaryFigures {
  readonly timeframe: Timeframe;
  readonly bias: Signal;
  readonly isStrong: boolean;
  readonly confidencePercent: number;
  readonly trendScore: number;
  readonly momentumScore: number;
  readonly resistance: readonly number[];
  readonly support: readonly number[];
}
