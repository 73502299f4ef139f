import * as z from "zod";
import type { QuoteState } from "@/lib/book/freshness";
import { IMPACTS } from "@/lib/calendar/event";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { formatPrice } from "@/lib/market/price";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * What an alert waits for. The API, the form of the dashboard and the database share these shapes. `level` and the
 * spelling of `symbol` are checked against the instrument in lib/alerts/alerts.ts.
 */

const DIRECTIONS = ["up", "down", "either"] as const;
export type Direction = (typeof DIRECTIONS)[number];

const PRICES = ["bid", "ask", "mid"] as const;
type PriceSide = (typeof PRICES)[number];

/** The states of a quote that can be waited for. A delayed quote counts as live. */
const WATCHED_STATES = ["live", "stale", "closed"] as const;
type WatchedState = (typeof WATCHED_STATES)[number];

const MAX_MOVE_MINUTES = 1_440;
const MAX_LEAD_MINUTES = 1_440;
const MAX_CURRENCIES = 20;

/** In place of the name of a source: each of them by itself. */
export const EACH_SOURCE = "*";

const symbol = z
  .string("must be a symbol such as EURUSD")
  .min(1, "must not be empty")
  .max(64, "must be at most 64 characters")
  .meta({ description: "Trading symbol; any broker's spelling is resolved", examples: ["EURUSD"] });

/** In place of the name of an indicator: the close of the bar. */
export const CLOSE = "close";

const reading = z
  .string("must be the name of an indicator")
  .min(1, "must not be empty")
  .max(64, "must be at most 64 characters");

const direction = z
  .enum(DIRECTIONS, `must be one of ${DIRECTIONS.join(", ")}`)
  .default("either")
  .meta({ description: "The direction of the price that counts" });

const minutes = (max: number) => {
  const message = `must be a whole number from 1 to ${max}`;
  return z.int(message).min(1, message).max(max, message);
};

/** Which events count; all fields together. */
const filter = {
  currencies: z
    .array(z.string().regex(/^[A-Z]{3}$/, "must be codes such as USD"))
    .max(MAX_CURRENCIES, `must be at most ${MAX_CURRENCIES} codes`)
    .default([])
    .meta({ description: "Codes such as USD; an empty list is all" }),
  impacts: z
    .array(z.enum(IMPACTS, `must be some of ${IMPACTS.join(", ")}`))
    .max(IMPACTS.length, "must not repeat an impact")
    .default([])
    .meta({ description: "An empty list is all" }),
  search: z
    .string()
    .max(100, "must be at most 100 characters")
    .default("")
    .meta({ description: "A part of the title, in any case; an empty text is all" }),
};

const CONDITION_TYPES = [
  "price",
  "move",
  "indicator",
  "spread",
  "state",
  "completeness",
  "release",
  "upcoming",
] as const;

/**
 * Builds the schema of a condition. Fields with a default may be left out of what is sent and are in every answer, so the
 * documentation of the API has each schema twice, which a prefix tells apart.
 */
function buildSchema(prefix: "" | "New") {
  const price = z
    .strictObject({
      type: z.literal("price"),
      symbol,
      level: z.number("must be a number").positive("must be above 0").max(1e9, "must be at most 1000000000"),
      direction,
      price: z
        .enum(PRICES, `must be one of ${PRICES.join(", ")}`)
        .default("bid")
        .meta({ description: "The price that is compared with the level" }),
    })
    .meta({ id: `${prefix}PriceCondition`, description: "The price crosses a level" });

  const move = z
    .strictObject({
      type: z.literal("move"),
      symbol,
      percent: z
        .number("must be a number")
        .min(0.01, "must be at least 0.01")
        .max(1_000, "must be at most 1000")
        .meta({ description: "How far the bid must be from its lowest or highest of the window" }),
      minutes: minutes(MAX_MOVE_MINUTES).meta({ description: "The length of the window" }),
      direction,
    })
    .meta({ id: `${prefix}MoveCondition`, description: "The bid moves by a percentage within a window" });

  const indicator = z
    .strictObject({
      type: z.literal("indicator"),
      symbol,
      timeframe: z
        .string("must be a timeframe such as H1")
        .max(8, "must be a timeframe such as H1")
        .default("H1")
        .meta({ description: "The length of the bars, from a minute on" }),
      indicator: reading.meta({
        description: `An indicator, such as RSI_14 or EMA_34, or ${CLOSE}: the close of the bar`,
      }),
      direction,
      level: z
        .number("must be a number or null")
        .min(-1e12, "must be at least -1000000000000")
        .max(1e12, "must be at most 1000000000000")
        .nullable()
        .default(null)
        .meta({ description: "The value that is crossed; null with against" }),
      against: reading
        .nullable()
        .default(null)
        .meta({
          description: `The indicator that is crossed, or ${CLOSE}; null with level`,
        }),
    })
    .refine(({ level, against }) => (level === null) !== (against === null), {
      message: "needs either a value or another indicator to cross",
      path: ["level"],
    })
    .meta({
      id: `${prefix}IndicatorCondition`,
      description: "At a closed bar, an indicator has crossed a value or another indicator since the bar before",
    });

  const spread = z.strictObject({ type: z.literal("spread"), symbol }).meta({
    id: `${prefix}SpreadCondition`,
    description: "The spread is above its 95th percentile of the last seven days",
  });

  const state = z
    .strictObject({
      type: z.literal("state"),
      symbol,
      states: z
        .array(z.enum(WATCHED_STATES, `must be some of ${WATCHED_STATES.join(", ")}`))
        .min(1, "must name at least one state")
        .max(WATCHED_STATES.length, "must not repeat a state"),
    })
    .meta({ id: `${prefix}StateCondition`, description: "The quote changes to one of these states" });

  const completeness = z
    .strictObject({
      type: z.literal("completeness"),
      symbol,
      source: z
        .string("must be the name of a source, * or null")
        .min(1, "must not be empty")
        .max(64, "must be at most 64 characters")
        .nullable()
        .default(null)
        .meta({ description: "A source, * for each of them by itself, or null for the prices that were served" }),
      percent: z
        .number("must be a number")
        .min(0.01, "must be at least 0.01")
        .max(100, "must be at most 100")
        .meta({ description: "The least completeness of a UTC day, as of /v1/quality" }),
    })
    .meta({
      id: `${prefix}CompletenessCondition`,
      description: "A day has too few prices. It fires once for each day and source, after the hour that decides it",
    });

  const release = z
    .strictObject({ type: z.literal("release"), ...filter })
    .meta({ id: `${prefix}ReleaseCondition`, description: "The figure of an economic event is published" });

  const upcoming = z
    .strictObject({
      type: z.literal("upcoming"),
      minutes: minutes(MAX_LEAD_MINUTES).meta({ description: "How long before the event" }),
      ...filter,
    })
    .meta({ id: `${prefix}UpcomingCondition`, description: "An economic event is due" });
  return z
    .discriminatedUnion("type", [price, move, indicator, spread, state, completeness, release, upcoming], {
      error: ({ code }) => (code === "invalid_union" ? `type must be one of ${CONDITION_TYPES.join(", ")}` : undefined),
    })
    .meta({ id: `${prefix}AlertCondition` });
}

/** A condition as it is sent, and as it is answered. */
export const newConditionSchema = buildSchema("New");
export const conditionSchema = buildSchema("");

export type Condition = z.output<typeof conditionSchema>;
export type PriceCondition = Extract<Condition, { type: "price" }>;
type MoveCondition = Extract<Condition, { type: "move" }>;
type StateCondition = Extract<Condition, { type: "state" }>;
export type CompletenessCondition = Extract<Condition, { type: "completeness" }>;
export type IndicatorCondition = Extract<Condition, { type: "indicator" }>;
type ReleaseCondition = Extract<Condition, { type: "release" }>;
type UpcomingCondition = Extract<Condition, { type: "upcoming" }>;
export type EventFilter = Pick<ReleaseCondition, "currencies" | "impacts" | "search">;
type EventCondition = ReleaseCondition | UpcomingCondition;
/** A condition that each quote of its symbol may fulfil. */
export type QuoteCondition = Exclude<Condition, EventCondition | CompletenessCondition | IndicatorCondition>;

export function isEventCondition(condition: Condition): condition is EventCondition {
  return condition.type === "release" || condition.type === "upcoming";
}

export function isQuoteCondition(condition: Condition): condition is QuoteCondition {
  return condition.type !== "completeness" && condition.type !== "indicator" && !isEventCondition(condition);
}

/** Whether a condition fires once for each event or day, so that it needs no cool-down. */
export function isOfOccasions(condition: Condition): boolean {
  return !isQuoteCondition(condition) && condition.type !== "indicator";
}

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Puts a condition in words: "EURUSD bid rises to 1.08500". */
export function describeCondition(condition: Condition): string {
  switch (condition.type) {
    case "price": {
      const verb = { up: "rises to", down: "falls to", either: "crosses" }[condition.direction];
      return `${condition.symbol} ${condition.price} ${verb} ${formatLevel(condition.symbol, condition.level)}`;
    }
    case "move": {
      const verb = { up: "rises", down: "falls", either: "moves" }[condition.direction];
      return `${condition.symbol} ${verb} by ${condition.percent} % within ${formatMinutes(condition.minutes)}`;
    }
    case "indicator":
      return `${condition.symbol} ${describeCrossing(condition)}`;
    case "spread":
      return `${condition.symbol} spread is above its usual`;
    case "state":
      return `${condition.symbol} becomes ${formatStates(condition)}`;
    case "completeness":
      return `${formatOrigin(condition)} is less than ${condition.percent} % complete`;
    case "release":
      return `A figure is published: ${describeFilter(condition)}`;
    case "upcoming":
      return `An event is due in ${formatMinutes(condition.minutes)}: ${describeFilter(condition)}`;
  }
}

/** "RSI_14 of H1 crosses above 70", "close of M5 crosses EMA_50". */
function describeCrossing({ indicator, timeframe, direction, level, against }: IndicatorCondition): string {
  const verb = { up: "crosses above", down: "crosses below", either: "crosses" }[direction];
  return `${indicator} of ${timeframe} ${verb} ${against ?? level}`;
}

function formatOrigin({ symbol, source }: CompletenessCondition): string {
  return source === null ? symbol : `${symbol} from ${source === EACH_SOURCE ? "any source" : source}`;
}

/** A level with the decimals of its symbol. */
export function formatLevel(symbol: string, level: number): string {
  const digits = instrumentBySymbol.get(symbol)?.digits;
  return digits === undefined ? String(level) : formatPrice(level, digits);
}

function formatMinutes(minutes: number): string {
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

function formatStates({ states }: StateCondition): string {
  return OR.format(states);
}

function describeFilter({ currencies, impacts, search }: EventFilter): string {
  const parts = [
    impacts.length === 0 ? "" : `${OR.format(impacts)} impact`,
    currencies.length === 0 ? "" : OR.format(currencies),
    search === "" ? "" : `“${search}” in the title`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "any event" : parts.join(", ");
}

/** What the condition of an alert remembers between two evaluations, and across a restart. */
export interface AlertState {
  /** The side of the level on which the price was last. */
  readonly side?: Side;
  /** Whether the move or the spread was last as large as the condition wants. */
  readonly met?: boolean;
  /** The last state of the quote. */
  readonly quote?: WatchedState;
  /** The keys of the events or days that were found before; see events.ts and completeness.ts. */
  readonly seen?: readonly string[];
}

/** The outcome of an evaluation that changed something. */
export interface Verdict {
  readonly state: AlertState;
  /** Whether the condition has just become true. */
  readonly fires: boolean;
}

/*
 * Each function compares a moment with the state, which is null before the first evaluation, and returns null if nothing
 * has changed. An alert fires when its condition becomes true, never because it is true already when it begins.
 */

export function evaluatePrice(
  { level, direction, price }: PriceCondition,
  state: AlertState | null,
  quote: { readonly bid: number; readonly ask: number },
): Verdict | null {
  const before = state?.side ?? null;
  const side = findSide(choosePrice(quote, price), level);
  return side === before ? null : { state: { side }, fires: hasCrossed(before, side, direction) };
}

/** Compares the values at the newest closed bar. */
export function evaluateIndicator(
  { direction }: Pick<IndicatorCondition, "direction">,
  state: AlertState | null,
  { value, against }: { readonly value: number; readonly against: number },
): Verdict | null {
  const before = state?.side ?? null;
  const side = findSide(value, against);
  if (side === before) return null;
  // At the level the value has not crossed it: the side before stays until it is beyond.
  if (side === 0) return before === null ? { state: { side }, fires: false } : null;
  const isCrossed =
    before !== null && before !== 0 && (direction === "either" || (direction === "up") === (side === 1));
  return { state: { side }, fires: isCrossed };
}

export function evaluateMove(
  { percent, direction }: MoveCondition,
  state: AlertState | null,
  moves: { readonly up: number; readonly down: number },
): Verdict | null {
  return evaluateFlag(findMove(moves, percent, direction) !== null, state);
}

/** `usual` is the 95th percentile of seven days, in the unit of the spread. */
export function evaluateSpread(spread: number, usual: number, state: AlertState | null): Verdict | null {
  return evaluateFlag(spread > usual, state);
}

function evaluateFlag(met: boolean, state: AlertState | null): Verdict | null {
  return met === state?.met ? null : { state: { met }, fires: met && state?.met === false };
}

export function evaluateState(
  { states }: StateCondition,
  state: AlertState | null,
  quoteState: QuoteState,
): Verdict | null {
  const quote = quoteState === "delayed" ? "live" : quoteState;
  if (quote === state?.quote) return null;
  return { state: { quote }, fires: state?.quote !== undefined && states.includes(quote) };
}

/**
 * Compares the keys of the events that are found now with those found before. `fresh` are the new ones. A condition that
 * begins with `ignoresFirst` takes the first ones as known: they were there before the alert.
 */
export function evaluateEvents(
  keys: readonly string[],
  state: AlertState | null,
  { ignoresFirst }: { readonly ignoresFirst: boolean },
): { readonly state: AlertState; readonly fresh: readonly string[] } | null {
  if (state?.seen === undefined && ignoresFirst) return { state: { seen: keys }, fresh: [] };
  const before = new Set(state?.seen);
  const fresh = keys.filter((key) => !before.has(key));
  if (state?.seen !== undefined && fresh.length === 0 && keys.length === before.size) return null;
  return { state: { seen: keys }, fresh };
}

/** A window is divided into so many parts, of which the oldest leaves at a time. */
const PARTS = 60;

/**
 * The lowest and highest price of the last minutes, to within a sixtieth of the window: never of an older price, and of
 * all those of the last 59 sixtieths. Adding a price allocates nothing.
 */
export class PriceWindow {
  readonly #partMs: number;
  /** By the number of the part since 1970, modulo their count. */
  readonly #numbers = new Float64Array(PARTS).fill(-1);
  readonly #lows = new Float64Array(PARTS);
  readonly #highs = new Float64Array(PARTS);

  constructor(minutes: number) {
    this.#partMs = (minutes * MINUTE_MS) / PARTS;
  }

  /** Adds a price of a time, UTC milliseconds. One that is older than the window is ignored later on. */
  add(price: number, timeMs: number): void {
    const number = Math.floor(timeMs / this.#partMs);
    const at = number % PARTS;
    const held = this.#numbers[at] as number;
    if (held > number) return;
    if (held < number) {
      this.#numbers[at] = number;
      this.#lows[at] = this.#highs[at] = price;
      return;
    }
    if (price < (this.#lows[at] as number)) this.#lows[at] = price;
    if (price > (this.#highs[at] as number)) this.#highs[at] = price;
  }

  /** The lowest price of the window that ends at a time; Infinity without any. */
  findLowest(nowMs: number): number {
    const oldest = this.#findOldest(nowMs);
    let lowest = Infinity;
    for (let at = 0; at < PARTS; at++)
      if ((this.#numbers[at] as number) >= oldest) lowest = Math.min(lowest, this.#lows[at] as number);
    return lowest;
  }

  /** The highest price of the window that ends at a time; -Infinity without any. */
  findHighest(nowMs: number): number {
    const oldest = this.#findOldest(nowMs);
    let highest = -Infinity;
    for (let at = 0; at < PARTS; at++)
      if ((this.#numbers[at] as number) >= oldest) highest = Math.max(highest, this.#highs[at] as number);
    return highest;
  }

  #findOldest(nowMs: number): number {
    return Math.floor(nowMs / this.#partMs) - PARTS + 1;
  }
}

/** How far a price is from the lowest and the highest of its window, in percent: at least 0, and at most 0. */
export function computeMoves(price: number, window: PriceWindow, nowMs: number): { up: number; down: number } {
  const [lowest, highest] = [window.findLowest(nowMs), window.findHighest(nowMs)];
  if (lowest === Infinity) return { up: 0, down: 0 };
  return {
    up: Math.max(0, ((price - lowest) / lowest) * 100),
    down: Math.min(0, ((price - highest) / highest) * 100),
  };
}

/** Whether moves reach a percentage, apart from the noise of binary arithmetic. Returns the one that does; null if none. */
export function findMove(
  { up, down }: { readonly up: number; readonly down: number },
  percent: number,
  direction: "up" | "down" | "either",
): number | null {
  const least = percent * (1 - 1e-9);
  const isUp = direction !== "down" && up >= least;
  const isDown = direction !== "up" && -down >= least;
  if (isUp && (!isDown || up >= -down)) return up;
  return isDown ? down : null;
}

/** Where a price is of a level: below, at, or above it. */
export type Side = -1 | 0 | 1;

export function findSide(price: number, level: number): Side {
  return price < level ? -1 : price > level ? 1 : 0;
}

/**
 * Whether a price that was on one side has reached or passed its level. A price that goes back from the level to the
 * side where it came from, or on to the other, was reported when it reached the level. `before` is null before the first
 * price, which never crosses.
 */
export function hasCrossed(before: Side | null, after: Side, direction: Direction): boolean {
  if (before === null || before === 0 || before === after) return false;
  return direction === "either" || (direction === "up" ? before === -1 : before === 1);
}

/** The price that is compared with a level. */
export function choosePrice({ bid, ask }: { readonly bid: number; readonly ask: number }, side: PriceSide): number {
  return side === "bid" ? bid : side === "ask" ? ask : (bid + ask) / 2;
}
