import * as z from "zod";
import { IMPACTS } from "@/lib/calendar/event";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { formatPrice, PRICE_SIDES } from "@/lib/market/price";
import { type ChartLine, EXTENSIONS, LINE_SCALES } from "@/lib/market/time-axis";
import { parseTime } from "@/lib/time/iso-time";

/**
 * What an alert waits for. The API, the form of the dashboard and the database share these shapes. `level` and the
 * spelling of `symbol` are checked against the instrument in lib/alerts/alerts.ts.
 */

const DIRECTIONS = ["up", "down", "either"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The states of a quote that can be waited for. A delayed quote counts as live. */
const WATCHED_STATES = ["live", "stale", "closed"] as const;
export type WatchedState = (typeof WATCHED_STATES)[number];

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

/** A point of a line. */
const linePoint = z
  .strictObject({
    time: z
      .string("must be a time in ISO 8601")
      .max(40, "must be a time in ISO 8601")
      .refine((text) => parseTime(text) !== null, "must be a time in ISO 8601")
      .meta({ description: "ISO 8601, UTC without an offset", examples: ["2026-01-15T12:00:00.000Z"] }),
    price: z.number("must be a number").positive("must be above 0").max(1e9, "must be at most 1000000000"),
  })
  .meta({ id: "LinePoint" });

const CONDITION_TYPES = [
  "price",
  "line",
  "move",
  "indicator",
  "spread",
  "state",
  "completeness",
  "release",
  "upcoming",
] as const;

/** The schema of a line, of which the words of its fields are the documentation. */
function buildLine(prefix: "" | "New") {
  return z
    .strictObject({
      type: z.literal("line"),
      symbol,
      from: linePoint.meta({ description: "The earlier point of the line" }),
      to: linePoint.meta({ description: "The later point of the line" }),
      extend: z
        .enum(EXTENSIONS, `must be one of ${EXTENSIONS.join(", ")}`)
        .default("right")
        .meta({ description: "Beyond which points the line goes on. Where it ends at `to`, the alert ends with it" }),
      timeframe: z
        .string("must be a timeframe such as H1")
        .max(8, "must be a timeframe such as H1")
        .default("H1")
        .meta({
          description: "The chart on which the line is straight: its bars are counted, and closed hours are not",
        }),
      scale: z
        .enum(LINE_SCALES, `must be one of ${LINE_SCALES.join(", ")}`)
        .default("linear")
        .meta({ description: "Whether the line is straight in prices or in their logarithms" }),
      direction,
      price: z
        .enum(PRICE_SIDES, `must be one of ${PRICE_SIDES.join(", ")}`)
        .default("bid")
        .meta({ description: "The price that is compared with the level of the line at that moment" }),
      drawing: z
        .uuid("must be the id of a drawing or null")
        .nullable()
        .default(null)
        .meta({ description: "The line on the chart of the symbol that it moves with; null for none" }),
    })
    .refine(({ from, to }) => (parseTime(from.time) ?? 0) < (parseTime(to.time) ?? 0), {
      message: "must be later than from",
      path: ["to"],
    })
    .meta({ id: `${prefix}LineCondition`, description: "The price crosses a line, whose level moves with time" });
}

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
        .enum(PRICE_SIDES, `must be one of ${PRICE_SIDES.join(", ")}`)
        .default("bid")
        .meta({ description: "The price that is compared with the level" }),
    })
    .meta({ id: `${prefix}PriceCondition`, description: "The price crosses a level" });

  const line = buildLine(prefix);
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
    .discriminatedUnion("type", [price, line, move, indicator, spread, state, completeness, release, upcoming], {
      error: ({ code }) => (code === "invalid_union" ? `type must be one of ${CONDITION_TYPES.join(", ")}` : undefined),
    })
    .meta({ id: `${prefix}AlertCondition` });
}

/** A condition as it is sent, and as it is answered. */
export const newConditionSchema = buildSchema("New");
export const conditionSchema = buildSchema("");

export type Condition = z.output<typeof conditionSchema>;
export type PriceCondition = Extract<Condition, { type: "price" }>;
export type LineCondition = Extract<Condition, { type: "line" }>;
export type MoveCondition = Extract<Condition, { type: "move" }>;
export type StateCondition = Extract<Condition, { type: "state" }>;
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
    case "line": {
      const verb = { up: "rises to", down: "falls to", either: "crosses" }[condition.direction];
      const isLevel = condition.from.price === condition.to.price;
      if (isLevel) {
        return `${condition.symbol} ${condition.price} ${verb} the line at ${formatLevel(condition.symbol, condition.to.price)}`;
      }
      const at = ({ time, price }: LineCondition["to"]) =>
        `${formatLevel(condition.symbol, price)} (${formatLineTime(time)})`;
      return `${condition.symbol} ${condition.price} ${verb} the line ${at(condition.from)} to ${at(condition.to)}`;
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

/** "2026-01-15 12:00": the seconds only where there are some. */
function formatLineTime(time: string): string {
  const [day = "", clock = ""] = new Date(parseTime(time) ?? 0).toISOString().split("T");
  return `${day} ${clock.slice(0, clock.slice(6, 8) === "00" ? 5 : 8)}`;
}

/** The line of a condition, as a chart draws it. */
export function toChartLine({ from, to, extend, scale }: LineCondition): ChartLine {
  return {
    from: [parseTime(from.time) ?? 0, from.price],
    to: [parseTime(to.time) ?? 0, to.price],
    ...{ extend, scale },
  };
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
