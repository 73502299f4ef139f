import * as z from "zod";
import { ERROR_CODES, toWireCode } from "@/lib/api/engine/errors";
import { TIMEFRAME_PATTERN, USUAL_TIMEFRAMES } from "@/lib/market/timeframe";

/** Schemas that the replies of several resources share, with the field names of the specification. */

export const isoTime = z.iso.datetime().meta({ id: "Timestamp", description: "ISO 8601, UTC" });

/** A moment as `isoTime` describes it: "2026-11-20T13:00:00.123Z". */
export const toIsoTime = (ms: number) => new Date(ms).toISOString();
export const toIsoTimeOrNull = (ms: number | null) => (ms === null ? null : toIsoTime(ms));

export const succeeded = z.literal(true);

export const pagination = z
  .strictObject({ offset: z.int(), limit: z.int(), total: z.int(), has_more: z.boolean() })
  .meta({ id: "Pagination" });

export const timeframe = z
  .string()
  .meta({ id: "Timeframe", pattern: TIMEFRAME_PATTERN, examples: [...USUAL_TIMEFRAMES] });

/** Every field that an error object may have beside its code and message. */
const errorFields = {
  suggestions: z.array(z.string()).meta({ description: "With unknown names: up to three near ones" }),
  symbol: z.string().meta({ description: "With INVALID_SYMBOL and SYMBOL_NOT_FOUND: the name that was sent" }),
  accepted: z.array(z.string()).meta({ description: "With a wrong word: the words that are accepted" }),
  valid_values: z
    .array(z.string())
    .meta({ description: "With INVALID_CATEGORY, _PERIOD, _SORT and _TIMEFRAME: the values that are accepted" }),
  available_indicators: z.array(z.string()).meta({ description: "With INDICATOR_NOT_FOUND: every name and alias" }),
  earliest_available: z
    .string()
    .meta({ description: "With DATA_OUTSIDE_RETENTION: the first moment whose prices are stored, ISO 8601" }),
  kept_from: z.string().meta({ description: "With DATA_NOT_FOUND of every tick: since when they are kept, ISO 8601" }),
  kept_until: z.string().meta({ description: "With DATA_NOT_FOUND of every tick: the last moment of them" }),
  nearest_recorded: z
    .strictObject({ before: z.string().nullable(), after: z.string().nullable() })
    .meta({ description: "With DATA_NOT_FOUND and at: the nearest moments at which something was recorded, ISO 8601" }),
  retention_period: z.string().nullable().meta({
    description: "With DATA_OUTSIDE_RETENTION: for how long prices are stored, such as 90 days; null if for ever",
  }),
  details: z
    .array(z.strictObject({ loc: z.array(z.string()), msg: z.string(), type: z.string() }))
    .meta({ description: "With 422: where the fault is" }),
  requested_range: z.string().meta({ description: "With RANGE_TOO_LARGE: the length of the range" }),
  max_range: z.string().meta({ description: "With RANGE_TOO_LARGE: the longest range" }),
  requested_days: z.int().meta({ description: "With RANGE_TOO_LARGE of the calendar: the days of the window" }),
  limit: z
    .int()
    .meta({ description: "The most that the key may have: calls in its window, streams, or symbols of a stream" }),
  remaining: z.int().meta({ description: "With 429: the calls that are left, 0" }),
  reset_in_seconds: z.int().meta({ description: "With 429: seconds until calls are taken again, as in Retry-After" }),
  current_plan: z.string().meta({ description: "With PLAN_UPGRADE_REQUIRED: the plan that the key is served under" }),
  upgrade_url: z.string().meta({ description: "With PLAN_UPGRADE_REQUIRED: the page of the plans" }),
};

const errorCode = z
  .enum([...new Set(ERROR_CODES.map(toWireCode))])
  .meta({ id: "ErrorCode", description: "What went wrong. More codes may be added." });

export const errorReply = z
  .strictObject({
    success: z.literal(false),
    error: z.strictObject({
      code: errorCode,
      message: z.string().meta({ description: "For people; its words may change" }),
      ...z.strictObject(errorFields).partial().shape,
    }),
  })
  .meta({ id: "Error" });

export const flatErrorReply = z
  .strictObject({
    error: z.string().meta({ description: "The status in words" }),
    message: z.string(),
    code: z.int().meta({ description: "The status" }),
    retry_after: z.int().optional().meta({ description: "With 429 only: seconds until calls are taken again" }),
  })
  .meta({ id: "FlatError", description: "The errors of flat indicator readings" });
