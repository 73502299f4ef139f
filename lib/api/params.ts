import { z } from "zod";

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
