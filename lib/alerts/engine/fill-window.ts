import type { WatchedAlert } from "@/lib/alerts/engine/watched-alert";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import { MINUTE_MS } from "@/lib/time/units";

/** Adds the recorded prices of the window of a move, so that it is complete after a restart. */
export async function fillWindow(
  { condition, window }: WatchedAlert,
  bars: Pick<BarHistory, "readRange">,
  nowMs: number,
): Promise<void> {
  if (condition.type !== "move" || window === null) return;
  const fromMs = nowMs - condition.minutes * MINUTE_MS;
  const read = await bars.readRange(condition.symbol, "M1", { fromMs, toMs: nowMs, limit: condition.minutes });
  for (const { timeMs, low, high } of read) {
    window.add(low, timeMs);
    window.add(high, timeMs);
  }
}
