/** Returns the object of a venue's JSON message. Throws if it is something else. */
export function readJson(text: string | Buffer): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text.toString());
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("a message is not an object");
  return value as Record<string, unknown>;
}

/** Returns a venue's price, which may be a number or digits in a string; NaN if it is neither. The intake refuses NaN. */
export function readPrice(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value !== "" ? Number(value) : NaN;
}

/**
 * Returns the UTC milliseconds of an ISO time with any number of decimals, rounded down; null if there is no time. Only
 * the first three decimals count.
 */
export function readTime(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const timeMs = Date.parse(value.replace(/(\.\d{3})\d+/, "$1"));
  return Number.isNaN(timeMs) ? null : timeMs;
}
