import type { TradingHours } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { MINUTE_MS, type Span } from "@/lib/time/units";

export interface OpenSpan extends Span {
  /** Whether a market opened or closed at one of its ends. */
  readonly touchesClosure: boolean;
}

/** The parts of a span in which any of the markets was open, oldest first. Markets open and close at whole minutes. */
export function cutOpenSpans(markets: readonly TradingHours[], { fromMs, untilMs }: Span): OpenSpan[] {
  const spans: OpenSpan[] = [];
  let openedMs: number | null = null;
  const end = (atMs: number, touchesEnd: boolean) => {
    if (openedMs === null) return;
    spans.push({ fromMs: openedMs, untilMs: atMs, touchesClosure: touchesEnd || openedMs > fromMs });
    openedMs = null;
  };
  for (let atMs = fromMs; atMs < untilMs; atMs = (Math.floor(atMs / MINUTE_MS) + 1) * MINUTE_MS) {
    const isOpen = markets.some((hours) => isMarketOpen(hours, atMs));
    if (isOpen) openedMs ??= atMs;
    else end(atMs, true);
  }
  end(untilMs, false);
  return spans;
}
