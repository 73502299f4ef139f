import type { DotLook } from "@/components/ui/state";
import type { ShownTerminal } from "@/features/terminals/types";
import { formatAge } from "@/lib/time/duration";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A terminal sends at least an empty batch every five seconds. */
const SILENT_MS = 20 * SECOND_MS;

interface Look {
  readonly look: DotLook;
  readonly text: string;
}

/** The state of a terminal in words. */
export function readLook({ endedAtMs, lastUsedAtMs, state }: ShownTerminal, nowMs: number): Look {
  if (endedAtMs !== null) return { look: "off", text: "ended" };
  const heardAtMs = state?.lastBatchAtMs ?? lastUsedAtMs;
  if (heardAtMs === null) return { look: "waiting", text: "waiting for the first tick" };
  const silentMs = nowMs - heardAtMs;
  if (silentMs > SILENT_MS) return { look: "failed", text: `silent for ${formatAge(silentMs)}` };
  if (state === null || state.ticks === 0) return { look: "waiting", text: "connected, waiting for the first tick" };
  if (state.offsetMs === null) return { look: "late", text: "measuring the trade server’s clock" };
  return { look: "good", text: `receiving, server time ${formatOffset(state.offsetMs)}` };
}

/** "UTC+3", "UTC−4:30". */
export function formatOffset(offsetMs: number): string {
  const hours = Math.trunc(Math.abs(offsetMs) / HOUR_MS);
  const minutes = Math.round((Math.abs(offsetMs) % HOUR_MS) / MINUTE_MS);
  return `UTC${offsetMs < 0 ? "−" : "+"}${hours}${minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`}`;
}
