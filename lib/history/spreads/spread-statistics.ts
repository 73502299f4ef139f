import type { SessionGroup } from "@/lib/history/spreads/session-groups";
import { mergeRollups, NO_SPREADS, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";

/** The spreads of a period, in total and by session; in points. Immutable. */
export interface SpreadStatistics {
  readonly total: SpreadRollup;
  readonly bySession: Readonly<Record<SessionGroup, SpreadRollup>>;
}

export const NO_STATISTICS: SpreadStatistics = {
  total: NO_SPREADS,
  bySession: { asian: NO_SPREADS, london: NO_SPREADS, new_york: NO_SPREADS },
};

/** Adds seconds of one UTC hour, during which the sessions of `open` were open. */
export function addHour(
  { total, bySession }: SpreadStatistics,
  open: readonly SessionGroup[],
  rollup: SpreadRollup,
): SpreadStatistics {
  const group = (name: SessionGroup) => (open.includes(name) ? mergeRollups(bySession[name], rollup) : bySession[name]);
  return {
    total: mergeRollups(total, rollup),
    bySession: { asian: group("asian"), london: group("london"), new_york: group("new_york") },
  };
}
