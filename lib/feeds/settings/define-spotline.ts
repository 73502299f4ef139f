import type { SourceEntry } from "@/lib/feeds/settings/source-entry";
import type { InstrumentFields } from "@/lib/market/instrument-fields";

/** The file spotline.config.ts. */
export interface SpotlineConfig {
  /** The sources of prices. They replace SPOTLINE_FEED. */
  readonly sources: readonly SourceEntry[];
  /** Instruments to add to the catalog, or to correct there. Those that are taken out of the file stay as they are. */
  readonly instruments?: readonly ({ readonly symbol: string } & InstrumentFields)[];
}

/** Returns its argument, and gives it its type. The file imports it from "spotline". */
export function defineSpotline(config: SpotlineConfig): SpotlineConfig {
  return config;
}
