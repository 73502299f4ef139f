import * as z from "zod";
import { type ErrorCode, UNPROCESSABLE } from "@/lib/api/engine/errors";
import { SPREAD_PERIODS } from "@/lib/history/spreads/spread-period";
import { MAX_CALLER_SPELLING_LENGTH } from "@/lib/market/resolver";
import {
  explainTimeframe,
  readTimeframe,
  type Timeframe,
  TIMEFRAME_PATTERN,
  USUAL_TIMEFRAMES,
} from "@/lib/market/timeframe";
import { parseMoment } from "@/lib/time/iso-time";

/**
 * Parameters that several endpoints share. Each one parses text of a query. What `meta` says of it goes into the OpenAPI
 * document, from the same bounds that the check has; `refusedWith` lists error codes other than VALIDATION_ERROR.
 */

/** Its length and characters are checked by `findInstrument`, and only if no symbol is found. */
export const symbolParam = z.string().min(1, "must not be empty").meta({
  description: "Trading symbol; any broker's spelling is resolved.",
  example: "EURUSD",
  maxLength: MAX_CALLER_SPELLING_LENGTH,
});

export const sourceParam = z
  .string()
  .min(1, "must not be empty")
  .max(64, "must be at most 64 characters")
  .meta({ description: "Forces one broker source, however old its price is." });

const nameInList = z
  .string()
  .min(1, "must not contain an empty name")
  .max(64, "must contain names of at most 64 characters");

/** Up to `max` names separated by commas. */
export function namesParam(max: number) {
  return z
    .string()
    .meta({ type: "array", items: { type: "string" }, minItems: 1, maxItems: max })
    .transform((text) => text.split(",").map((name) => name.trim()))
    .pipe(z.array(nameInList).max(max, `must name at most ${max}`))
    .meta({ description: `At most ${max} names, separated by commas.` });
}

/** Up to `max` symbols separated by commas. Refused with NO_SYMBOLS and TOO_MANY_SYMBOLS. */
export function symbolsParam(max: number) {
  return z
    .string()
    .meta({
      type: "array",
      items: { type: "string" },
      minItems: 1,
      maxItems: max,
      refusedWith: ["NO_SYMBOLS", "TOO_MANY_SYMBOLS"],
    })
    .transform((text, context) => {
      const names = text.split(",").map((name) => name.trim());
      if (names.every((name) => name === ""))
        return refuseParam(context, "NO_SYMBOLS", "must name at least one symbol");
      if (names.length > max) return refuseParam(context, "TOO_MANY_SYMBOLS", `must name at most ${max} symbols`);
      return names;
    })
    .pipe(z.array(nameInList))
    .meta({ description: `At most ${max} symbols in any spelling, separated by commas.` });
}

/** How far back spread statistics reach. */
export const spreadPeriodParam = choiceParam(SPREAD_PERIODS, "INVALID_PERIOD").default("24h");

/** A decimal number such as -80 or 0.5: no exponent, no plus sign, no bare point. */
export const decimalParam = z
  .string()
  .meta({ type: "number" })
  .transform((text, context) => {
    if (/^-?\d{1,12}(\.\d{1,12})?$/.test(text)) return Number(text);
    return refuseParam(context, "VALIDATION_ERROR", "must be a decimal number");
  });

/** true, false, 1 or 0 in any case. */
export const flagParam = z
  .string()
  .meta({ type: "boolean" })
  .transform((text, context) => {
    if (/^(true|1)$/i.test(text)) return true;
    if (/^(false|0)$/i.test(text)) return false;
    return refuseParam(context, "VALIDATION_ERROR", "must be true, false, 1 or 0");
  });

/** A decimal integer between two bounds: no sign, no point, no exponent. */
export const wholeParam = (min: number, max: number) => integerParam(min, max, "VALIDATION_ERROR");

export const offsetParam = wholeParam(0, 999_999_999);

/** A time, ISO 8601 or Unix seconds or milliseconds, parsed into UTC milliseconds. Refused with INVALID_DATETIME. */
export const timeParam = z
  .string()
  .meta({ format: "date-time", example: "2026-11-20T13:00:00Z", refusedWith: ["INVALID_DATETIME"] })
  .transform((text, context) => {
    const timeMs = parseMoment(text);
    if (timeMs !== null) return timeMs;
    const message =
      "must be an ISO 8601 date or date-time between the years 1970 and 2100, UTC unless it says otherwise, or Unix seconds or milliseconds";
    return refuseParam(context, "INVALID_DATETIME", message);
  });

/** A second of the past, as which a call is answered. */
export const atParam = timeParam.meta({
  description:
    "Answers as at this second of the past, from what was recorded until then. Costs 3 credits, and needs the scope and " +
    "the plan of /v1/ticks as well.",
});

/** One of the timeframes that an endpoint supports, in any spelling of `readTimeframe`. Refused with INVALID_TIMEFRAME. */
export function timeframeParam<T extends Timeframe>(timeframes: readonly T[]) {
  const description = "The length of the bars. Other spellings, such as h1, 1h and hourly, are understood.";
  return choiceParam(timeframes, "INVALID_TIMEFRAME", readTimeframe, explainTimeframe).meta({ description });
}

/** Any timeframe, in any spelling of `readTimeframe`. Refused with INVALID_TIMEFRAME. */
export const anyTimeframeParam = z
  .string()
  .meta({
    pattern: TIMEFRAME_PATTERN,
    refusedWith: ["INVALID_TIMEFRAME"],
    examples: [...USUAL_TIMEFRAMES],
    description:
      `The length of the bars: ${USUAL_TIMEFRAMES.join(", ")}, any number of minutes or hours up to a day such as M45, ` +
      "and S1, S5, S10, S15 and S30. Other spellings, such as h1, 1h and hourly, are understood.",
  })
  .transform((text, context) => {
    const message =
      `must be one of ${USUAL_TIMEFRAMES.join(", ")}, a number of minutes or hours up to a day such as M45, or S1, S5, ` +
      "S10, S15 or S30";
    return (
      readTimeframe(text) ??
      refuseParam(context, "INVALID_TIMEFRAME", message + explainTimeframe(text), { valid_values: USUAL_TIMEFRAMES })
    );
  });

/** How a parameter is refused. */
export interface Refusal {
  readonly errorCode: ErrorCode;
  /** Further fields of the error object. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Refuses a parameter with an error code of its own instead of VALIDATION_ERROR. */
export function refuseParam(
  context: z.RefinementCtx,
  errorCode: ErrorCode,
  message: string,
  extra?: Refusal["extra"],
): never {
  context.addIssue({ code: "custom", message, params: { errorCode, extra } satisfies Refusal });
  return z.NEVER;
}

/** The refusals of repeated parameters that do not use VALIDATION_ERROR. */
export const repetitions = z.registry<Refusal>();

/** One of a few exact words. Refused with `errorCode`, and with the words in the field `accepted`. */
export function wordParam<Word extends string>(words: readonly Word[], errorCode: ErrorCode) {
  return oneOf(words, errorCode, { accepted: words });
}

/**
 * Like `wordParam`, with the words in the field `valid_values`.
 *
 * @param read turns other spellings of a word into it
 * @param explain continues the message of a refusal
 */
export function choiceParam<Word extends string>(
  words: readonly Word[],
  errorCode: ErrorCode,
  read?: (text: string) => string | undefined,
  explain?: (text: string) => string,
) {
  return oneOf(words, errorCode, { valid_values: words }, read, explain);
}

/** Some of a few words, separated by commas in any order. Parsed into these words, each once, in the order of `words`. */
export function someOfParam<Word extends string>(words: readonly Word[], errorCode: ErrorCode = "VALIDATION_ERROR") {
  return z
    .string()
    .meta({ type: "array", items: { type: "string", enum: [...words] }, refusedWith: [errorCode] })
    .transform((text, context) => {
      const named = new Set(text.split(",").map((word) => word.trim()));
      const found = words.filter((word) => named.has(word));
      if (found.length === named.size) return found;
      return refuseParam(context, errorCode, `must be some of ${words.join(", ")}, separated by commas`, {
        accepted: words,
      });
    });
}

function oneOf<Word extends string>(
  words: readonly Word[],
  errorCode: ErrorCode,
  extra: Refusal["extra"],
  read: (text: string) => string | undefined = (text) => text,
  explain: (text: string) => string = () => "",
) {
  return z
    .string()
    .meta({ enum: [...words], refusedWith: [errorCode] })
    .transform((text, context) => {
      const wanted = read(text);
      const word = words.find((each) => each === wanted);
      return word ?? refuseParam(context, errorCode, `must be one of ${words.join(", ")}${explain(text)}`, extra);
    });
}

/** Like `wholeParam`, but refused with 422. */
export const boundedParam = (min: number, max: number) => integerParam(min, max, UNPROCESSABLE);

function integerParam(min: number, max: number, refusedWith: ErrorCode) {
  return z
    .string()
    .meta({ type: "integer", minimum: min, maximum: max, refusedWith: [refusedWith] })
    .transform((text, context) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
      if (value >= min && value <= max) return value;
      return refuseParam(context, refusedWith, `must be a whole number from ${min} to ${max}`);
    });
}
