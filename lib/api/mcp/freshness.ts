import type { ToolReply } from "@/lib/api/mcp/call-tool";
import { formatExactDuration } from "@/lib/time/duration";

interface Freshness {
  /** The state of the prices, of several the worst; null where there are none. */
  readonly quote_state: string | null;
  readonly quote_age_ms: number | null;
  readonly data_mode: string;
  /** What an agent must know before it uses the data. */
  readonly notes: readonly string[];
}

/** Describes how far the data of an answer may be trusted, from its headers. */
export function describeFreshness({ header }: Pick<ToolReply, "header">): Freshness {
  const state = header("x-quote-state");
  const ageText = header("x-quote-age-ms");
  const ageMs = ageText === null ? null : Number(ageText);
  const mode = header("x-data-mode") ?? "live";
  const notes = [describeState(state, ageMs), MODE_NOTES[mode] ?? null, describeCoverage(header("x-coverage"))];
  return {
    quote_state: state,
    quote_age_ms: ageMs,
    data_mode: mode,
    notes: notes.filter((note) => note !== null),
  };
}

const MODE_NOTES: Readonly<Record<string, string>> = {
  simulated: "NOTE: this data is simulated. It is not of a real market.",
  replay: "NOTE: this data is replayed from a recording. It is not current.",
};

function describeState(state: string | null, ageMs: number | null): string | null {
  const age = ageMs === null ? "" : ` Its age is ${formatExactDuration(ageMs)}.`;
  if (state === "stale")
    return `WARNING: the newest price is stale, because its source has stopped sending.${age} Do not present it as the current price.`;
  if (state === "delayed") return `NOTE: the newest price is delayed.${age}`;
  if (state === "closed") return `NOTE: the market is closed, so this is its last price.${age}`;
  return null;
}

/** Rows that are missing are worth a note; a market may have been without prices. */
function describeCoverage(coverage: string | null): string | null {
  const [rows, expected] = (coverage ?? "").split("/").map(Number);
  if (rows === undefined || expected === undefined || rows >= expected) return null;
  return `NOTE: ${rows} of ${expected} rows were recorded; the others are missing.`;
}
