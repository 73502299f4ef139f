import { z } from "zod";
import { parseTime } from "@/lib/api/time";
import type { Timeframe } from "@/lib/market/timeframe";
import type { ErrorCode } from "@/lib/api/errors";

/** The parameters that several endpoints share, each told once. All of them read text as a query gives it. */

export const symbolParam = z
  .string()
  .min(1, "must not be empty")
  .max(64, "must be at most 64 characters")
  .meta({ description: "Trading symbol; any broker's spelling is resolved.", example: "EURUSD" });

/** true, false, 1 or 0 in any case. */
export const flagParam = z
  .string()
  .regex(/^(true|false|1|0)$/i, "must be true, false, 1 or 0")
  .transform((text) => text === "1" || text.toLowerCase() === "true");

/** A decimal integer between two bounds: no sign, no point, no exponent. */
export function wholeParam(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
}

export const offsetParam = wholeParam(0, 999_999_999);

/** A moment, read as UTC milliseconds. Refused with INVALID_DATETIME. */
export const timeParam = z
  .string()
  .meta({ format: "date-time", example: "2026-11-20T13:00:00Z" })
  .transform((text, context) => {
    const timeMs = parseTime(text);
    if (timeMs !== null) return timeMs;
    const message =
      "must be an ISO 8601 date or date-time between the years 1970 and 2100; UTC unless it says otherwise";
    return refuseParam(context, "INVALID_DATETIME", message);
  });

/** One of the bar lengths an endpoint knows. Refused with INVALID_TIMEFRAME. */
export function timeframeParam<T extends Timeframe>(among: readonly T[]) {
  return z
    .string()
    .meta({ enum: [...among] })
    .transform((text, context) => {
      const timeframe = among.find((name) => name === text);
      return timeframe ?? refuseParam(context, "INVALID_TIMEFRAME", `must be one of ${among.join(", ")}`);
    });
}

/** Has a query refused with an error code of the parameter's own rather than with VALIDATION_ERROR. */
export function refuseParam(context: z.RefinementCtx, errorCode: ErrorCode, message: string): never {
  context.addIssue({ code: "custom", message, params: { errorCode } });
  return z.NEVER;
}
