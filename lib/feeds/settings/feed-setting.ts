import type { SymbolChoice } from "@/lib/feeds/feed-kind";
import type { TradingHours } from "@/lib/market/instrument";
import type { WantedInstrument } from "@/lib/market/instrument-fields";

/** One feed as the operator set it up, checked and complete. Plain data: two are equal if their parts are. */
export interface FeedSetting {
  /** Unique. Also the name of its source, for a kind with one source. */
  readonly name: string;
  readonly kind: string;
  /** The lowest is served first; feeds with the same one are in the order of the list. */
  readonly priority: number;
  /** What to ask for; null for the kind's usual list. */
  readonly symbols: SymbolChoice | null;
  /** Canonical symbols by the broker's spelling, the usual ones of the kind and the operator's own, for this feed only. */
  readonly aliases: Readonly<Record<string, string>>;
  /** When its sources trade, if not at the usual hours of each instrument. */
  readonly hours: TradingHours | null;
  /** Price updates a second of each source that are usual while markets are open. */
  readonly expectedRate: number | null;
  /** Whether a symbol that the catalog lacks becomes an instrument; left out for what is usual for the kind. */
  readonly autoAdd?: boolean;
  /** The settings of its kind. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** All feeds, and where they were set. */
export interface FeedSettings {
  readonly feeds: readonly FeedSetting[];
  /** Names of sources, most trusted first, from SPOTLINE_SOURCE_PRIORITY. */
  readonly sourcePriority: readonly string[];
  /** What the file says of instruments. */
  readonly instruments?: readonly WantedInstrument[];
  /** The file that they were read from; null if there is none. */
  readonly file: string | null;
}
