import * as z from "zod";
import { IMPACTS } from "@/lib/calendar/event";

/**
 * What an alert waits for. The API, the form of the dashboard and the database share these shapes. `level` and the
 * spelling of `symbol` are checked against the instrument in lib/alerts/check-alert.ts.
 */

const DIRECTIONS = ["up", "down", "either"] as const;
export type Direction = (typeof DIRECTIONS)[number];

const PRICES = ["bid", "ask", "mid"] as const;
export type PriceSide = (typeof PRICES)[number];

/** The states of a quote that can be waited for. A delayed quote counts as live. */
const WATCHED_STATES = ["live", "stale", "closed"] as const;
export type WatchedState = (typeof WATCHED_STATES)[number];

const MAX_MOVE_MINUTES = 1_440;
const MAX_LEAD_MINUTES = 1_440;
const MAX_CURRENCIES = 20;

const symbol = z
  .string("must be a symbol such as EURUSD")
  .min(1, "must not be empty")
  .max(64, "must be at most 64 characters")
  .meta({ description: "Trading symbol; any broker's spelling is resolved", examples: ["EURUSD"] });

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

const CONDITION_TYPES = ["price", "move", "spread", "state", "release", "upcoming"] as const;

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
    .discriminatedUnion("type", [price, move, spread, state, release, upcoming], {
      error: ({ code }) => (code === "invalid_union" ? `type must be one of ${CONDITION_TYPES.join(", ")}` : undefined),
    })
    .meta({ id: `${prefix}AlertCondition` });
}

/** A condition as it is sent, and as it is answered. */
export const newConditionSchema = buildSchema("New");
export const conditionSchema = buildSchema("");

export type Condition = z.output<typeof conditionSchema>;
export type PriceCondition = Extract<Condition, { type: "price" }>;
export type MoveCondition = Extract<Condition, { type: "move" }>;
export type StateCondition = Extract<Condition, { type: "state" }>;
type ReleaseCondition = Extract<Condition, { type: "release" }>;
type UpcomingCondition = Extract<Condition, { type: "upcoming" }>;
export type EventFilter = Pick<ReleaseCondition, "currencies" | "impacts" | "search">;
type EventCondition = ReleaseCondition | UpcomingCondition;

export function isEventCondition(condition: Condition): condition is EventCondition {
  return condition.type === "release" || condition.type === "upcoming";
}
