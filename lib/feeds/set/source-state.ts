import type { GapSummary } from "@/lib/feeds/feed";
import type { IntakeSource, SecondSpelling, SourceCounts } from "@/lib/feeds/intake-source";
import type { SetSource } from "@/lib/feeds/set/feed-set";
import type { DataMode } from "@/lib/market/bar";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * ok: prices come as usual · slow: fewer than half of the usual ones · down: not connected while a market is open ·
 * paused: by an operator · closed: its markets are closed.
 */
export type SourceHealth = "ok" | "slow" | "down" | "paused" | "closed";

/** One source for the operator. Plain data, times in UTC milliseconds on the market clock. */
export interface SourceState extends SourceCounts {
  readonly kind: string;
  readonly mode: DataMode;
  readonly health: SourceHealth;
  /** Accepted ticks in the last minute, and the usual number while markets are open; null if it was not set. */
  readonly lastMinute: number;
  readonly expectedPerMinute: number | null;
  /** How far its clock is behind ours, with the time that a price takes to arrive; null without a recent tick. */
  readonly clockOffsetMs: number | null;
  /** The mean time from its clock to ours in the last minute, in milliseconds; null without a recent tick. */
  readonly latencyMs: number | null;
  /** Spellings that name no single instrument: the first ones. */
  readonly unresolved: readonly string[];
  /** Spellings that are not quoted because another one of the same instrument is: the first ones. */
  readonly seconds: readonly SecondSpelling[];
  readonly lastError: string | null;
  /** Times without its prices that could not be filled, or not yet. */
  readonly gaps: GapSummary;
}

const MAX_UNRESOLVED = 500;
const MAX_SECONDS = 100;
/** A source that was just connected has not had the time to send the usual number. */
const SETTLED_MS = MINUTE_MS;

export function describeSource(
  { name, mode, hours, setting, member }: SetSource,
  intake: IntakeSource,
  counts: SourceCounts,
  { isPaused, nowMs, gaps }: { readonly isPaused: boolean; readonly nowMs: number; readonly gaps: GapSummary },
): SourceState {
  const { kind, expectedRate } = setting;
  const expectedPerMinute = expectedRate === null ? null : expectedRate * (MINUTE_MS / SECOND_MS);
  const lastMinute = intake.meter.countLastMinute(nowMs);
  const isOpen = hours === undefined ? (intake.isAnyMarketOpen(nowMs) ?? true) : isMarketOpen(hours, nowMs);
  const isSettled = counts.connectedSinceMs !== null && nowMs - counts.connectedSinceMs >= SETTLED_MS;
  const health = (): SourceHealth => {
    if (isPaused) return "paused";
    if (!isOpen) return "closed";
    if (member.isFailed || counts.connectedSinceMs === null) return "down";
    return isSettled && expectedPerMinute !== null && lastMinute < expectedPerMinute / 2 ? "slow" : "ok";
  };
  return {
    ...counts,
    source: name,
    kind,
    mode,
    health: health(),
    lastMinute,
    expectedPerMinute,
    clockOffsetMs: intake.meter.getClockOffsetMs(nowMs),
    latencyMs: intake.meter.getLatencyMs(nowMs),
    unresolved: intake.listUnresolved(MAX_UNRESOLVED),
    seconds: intake.listSeconds(MAX_SECONDS),
    lastError: member.lastError,
    gaps,
  };
}
