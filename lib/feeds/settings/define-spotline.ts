import type { SourceEntry } from "@/lib/feeds/settings/source-entry";

/** The file spotline.config.ts. */
export interface SpotlineConfig {
  /** The sources of prices. They replace SPOTLINE_FEED. */
  readonly sources: readonly SourceEntry[];
}

/** Returns its argument, and gives it its type. The file imports it from "spotline". */
export function defineSpotline(config: SpotlineConfig): SpotlineConfig {
  return config;
}
