import type { FeedRow } from "@/features/feeds/types";
import type { Refusal } from "@/lib/feeds/refusals";
import { formatCount } from "@/lib/text/text";
import { formatAge } from "@/lib/time/duration";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** The ticks of the last minute and the expected number: "118 of 120". */
export function formatRate({ lastMinute, expectedPerMinute }: Pick<FeedRow, "lastMinute" | "expectedPerMinute">) {
  const ticks = formatCount(lastMinute);
  return expectedPerMinute === null ? ticks : `${ticks} of ${formatCount(expectedPerMinute)}`;
}

/** A short difference of times: "35 ms", "−1.2 s", "2m 05s"; a dash for null. */
export function formatDelay(ms: number | null): string {
  if (ms === null) return "–";
  const sign = ms < 0 ? "−" : "";
  const size = Math.abs(ms);
  if (size < SECOND_MS) return `${sign}${Math.round(size)} ms`;
  return size < MINUTE_MS ? `${sign}${(size / SECOND_MS).toFixed(1)} s` : `${sign}${formatAge(size)}`;
}

/** Why ticks are refused, for people. */
export const REFUSAL_WORDS: Readonly<Record<Refusal, string>> = {
  unknown_symbol: "Unknown symbol",
  ambiguous_symbol: "Ambiguous symbol",
  second_spelling: "Second spelling",
  non_finite: "Not a number",
  non_positive: "Not above zero",
  crossed: "Bid above ask",
  future: "Time in the future",
  late: "Older than the last",
  duplicate: "Repeated",
  far_off: "Far from the market",
};

/** Joins a source and one of its spellings to the id of a form. */
export function joinAliasId(source: string, spelling: string): string {
  return `${source}/${spelling}`;
}

/** Splits the id of a form. The spelling is null if it is in a field. Names of sources have no slash. */
export function splitAliasId(id: string): { readonly source: string; readonly spelling: string | null } {
  const at = id.indexOf("/");
  return at === -1 ? { source: id, spelling: null } : { source: id.slice(0, at), spelling: id.slice(at + 1) };
}
