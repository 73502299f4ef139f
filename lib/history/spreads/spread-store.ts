import type { HourStore } from "@/lib/history/history";
import type { SourceSpreads } from "@/lib/history/spreads/source-spreads";
import { toSpreadHour } from "@/lib/history/spreads/spread-hour";
import { writeSpreadHours } from "@/lib/history/spreads/spread-rows";
import { HOUR_MS } from "@/lib/time/units";

/** Keeps the spreads of a closed hour: what was served, and every source's own. */
export function createSpreadStore(sourceSpreads: Pick<SourceSpreads, "collect">): HourStore {
  return {
    async writeHour(client, columns) {
      const hours = new Set(columns.map(({ hourMs }) => hourMs));
      const ofSources = [...hours].flatMap((hourMs) => sourceSpreads.collect(hourMs, hourMs + HOUR_MS));
      await writeSpreadHours(client, [...columns.map(toSpreadHour), ...ofSources]);
    },
  };
}
