import type * as z from "zod";
import type { Feed } from "@/lib/feeds/feed";
import type { FrameRecorder } from "@/lib/feeds/live/frame-recorder";
import type { PriceWatch } from "@/lib/feeds/live/live-feed";
import type { Inlets } from "@/lib/feeds/mt5/inlets";
import type { Instrument } from "@/lib/market/instrument";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

/** What every feed of this process is created with. */
export interface FeedContext {
  readonly now: Clock;
  readonly monotonic: Clock;
  /** What a feed that makes its own prices can quote. */
  readonly instruments: readonly Instrument[];
  /** The newest stored second, UTC milliseconds: a replay at its own time continues there. */
  readonly storedUntilMs: number | null;
  /** Where pushed prices come in; only in a running server. */
  readonly inlets?: Inlets;
  /** A folder for what a feed must remember, such as tokens that its venue renewed. */
  readonly dataDir: string;
  readonly log: Logger;
  /** Records what venues send and are sent; null unless the operator enables it. */
  readonly recorder: FrameRecorder | null;
}

/** What an operator wants of a venue, in its spelling: listed symbols, or everything that the venue lists. */
export type SymbolChoice = readonly string[] | "all";

export interface FeedOptions<Settings = unknown, Secret extends string = string> extends FeedContext {
  /** The name of its source; of no use to a kind with several sources. */
  readonly name: string;
  /** What to ask for; null for the kind's usual list. "all" only for kinds that list their symbols. */
  readonly symbols: SymbolChoice | null;
  readonly settings: Settings;
  readonly secrets: Readonly<Record<Secret, string>>;
  /** When a connection without prices is dropped; undefined if it is not known what the feed asks for. */
  readonly prices: PriceWatch | undefined;
}

/** A kind of feed: what it needs, and how one is created. */
export interface FeedKind<
  Name extends string = string,
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Secret extends string = string,
> {
  /** Lower-case letters and digits: the word in SPOTLINE_FEED and in the file of settings. */
  readonly kind: Name;
  /** "several" if the feed itself names its sources, like a folder of recordings. */
  readonly sources: "one" | "several";
  /** Whether it quotes only those symbols that no other feed offers. */
  readonly isFallback: boolean;
  /** Whether its prices come by themselves, so that its list of symbols only says what came. */
  readonly isPushed?: boolean;
  /**
   * The canonical symbol of each of the venue's spellings that is subscribed to unless the operator lists others. Left out
   * by a feed that finds out itself what it can quote.
   */
  readonly symbols?: Readonly<Record<string, string>>;
  /** Whether its venue lists its symbols, so that the operator may ask for all of them. */
  readonly listsSymbols?: boolean;
  /** Its own settings, beside those of every source. */
  readonly settings: Shape;
  /**
   * What it signs in with, and what that is: { token: "a personal access token" }. They are read from the environment
   * only. The names end in token, key, secret, password, user or account, or are clientId.
   */
  readonly secrets: Readonly<Record<Secret, string>>;
  /** Throws an Error with a readable message if the settings cannot work. Nothing is opened before the feed starts. */
  create(options: FeedOptions<z.output<z.ZodObject<Shape>>, Secret>): Feed;
}

/** Keeps the types of a kind exact. */
export function defineFeedKind<const Name extends string, Shape extends z.ZodRawShape, Secret extends string = never>(
  kind: FeedKind<Name, Shape, Secret>,
): FeedKind<Name, Shape, Secret> {
  return kind;
}
