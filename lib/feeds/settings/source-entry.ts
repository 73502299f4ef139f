import * as z from "zod";
import type { FeedKind, SymbolChoice } from "@/lib/feeds/feed-kind";
import type { KINDS } from "@/lib/feeds/kinds";
import { type TradingHours, type Weekday, WEEKDAYS } from "@/lib/market/instrument";
import { cryptoHours } from "@/lib/market/instruments/hours";
import { isZone } from "@/lib/time/zone-offset";

/** An entry of `sources` in the file of settings: what every kind has, besides its own settings. */

const MAX_SYMBOLS = 5_000;
const MAX_SPELLING_LENGTH = 64;

const spelling = z.string().min(1).max(MAX_SPELLING_LENGTH);
const span = z.strictObject({
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be like 09:00"),
  to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be like 17:30"),
});
const day = z.array(span);
const dayShape = Object.fromEntries(WEEKDAYS.map((name) => [name, day])) as Record<Weekday, typeof day>;
const tradingHours = z.strictObject({
  zone: z.string().refine(isZone, "must be an IANA zone like Europe/London"),
  days: z.strictObject(dayShape),
});

const sharedShape = {
  /** The lowest is served first. */
  priority: z.int().min(0).max(1_000).optional(),
  /** Canonical symbols by the broker's spelling, for this source only. */
  aliases: z
    .record(spelling, z.string().regex(/^[A-Z0-9][A-Z0-9.&_-]{0,31}$/, "must be a symbol of the catalog, like EURUSD"))
    .optional(),
  /** When it trades, if not at the usual hours of each instrument. */
  hours: z
    .union([z.literal("always"), tradingHours], 'must be "always", or a zone and the hours of its seven days')
    .transform((hours): TradingHours => (hours === "always" ? cryptoHours : hours))
    .optional(),
  /** Price updates a second that are usual while markets are open: 0.2 is one in five seconds. */
  expectedRate: z.number().positive().max(100_000).optional(),
  /** Whether a symbol that the catalog lacks becomes an instrument. By default it does, if the kind has one source. */
  autoAdd: z.boolean().optional(),
};

const listedSymbols = z
  .array(spelling, "must be a list of symbols in the venue's spelling")
  .min(1, "must have at least one symbol")
  .max(MAX_SYMBOLS);

const singleShape = {
  /** The name that answers show; by default its kind. */
  name: z
    .string()
    .max(40)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters, digits and single dashes")
    .optional(),
  /** What to ask for, in the broker's spelling; "all" for everything that the venue lists. */
  symbols: z
    .union([z.literal("all"), listedSymbols], 'must be "all", or a list of symbols in the venue\'s spelling')
    .optional(),
};

/** The settings of a kind whose venue has no list, or whose symbols come by themselves. */
const unlistedShape = { ...singleShape, symbols: listedSymbols.optional() };

/** The schema of the entries of one kind. */
export function createEntrySchema({ kind, sources, settings, listsSymbols }: FeedKind) {
  const own = sources !== "one" ? {} : listsSymbols === true ? singleShape : unlistedShape;
  return z.strictObject({ kind: z.literal(kind), ...sharedShape, ...own, ...settings });
}

/** What the schemas of all kinds have in common. */
export interface ParsedEntry {
  readonly kind: string;
  readonly priority?: number;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly hours?: TradingHours;
  readonly expectedRate?: number;
  readonly autoAdd?: boolean;
  readonly name?: string;
  readonly symbols?: SymbolChoice;
}

type Input<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape>>;
type SharedInput<Sources> = Input<typeof sharedShape> & (Sources extends "one" ? Input<typeof singleShape> : unknown);
type EntryOf<Kind> =
  Kind extends FeedKind<infer Name, infer Shape, string>
    ? { kind: Name } & SharedInput<Kind["sources"]> & Partial<Input<Shape>>
    : never;

/** An entry as the operator writes it; the editor completes the settings of its kind. */
export type SourceEntry = EntryOf<(typeof KINDS)[number]>;
