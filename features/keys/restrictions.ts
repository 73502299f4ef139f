import type { Key } from "@/lib/access/keys/key";
import { formatCount } from "@/lib/text/text";

interface Restriction {
  readonly name: string;
  readonly text: string;
  /** For a table. */
  readonly short: string;
}

/** What a key may not do though its scopes and its plan would allow it. */
export function listRestrictions({
  allowedEndpoints,
  allowedSymbols,
  allowedOrigins,
  perMinuteLimit,
  perDayLimit,
}: Key): Restriction[] {
  const restrictions: Restriction[] = [];
  if (allowedEndpoints.length > 0) {
    const count = `${allowedEndpoints.length} ${allowedEndpoints.length === 1 ? "endpoint" : "endpoints"}`;
    restrictions.push({ name: "Only endpoints", text: allowedEndpoints.join(", "), short: `only ${count}` });
  }
  if (allowedSymbols.length > 0) {
    const [first, second, ...others] = allowedSymbols;
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const short = `only ${[first, second].filter(Boolean).join(", ")}${more}`;
    restrictions.push({ name: "Only symbols", text: allowedSymbols.join(", "), short });
  }
  if (allowedOrigins.length > 0) {
    const count = `${allowedOrigins.length} ${allowedOrigins.length === 1 ? "origin" : "origins"}`;
    restrictions.push({ name: "Only pages of", text: allowedOrigins.join(", "), short: `only ${count}` });
  }
  if (perMinuteLimit !== null) restrictions.push(toLimit(perMinuteLimit, "minute"));
  if (perDayLimit !== null) restrictions.push(toLimit(perDayLimit, "day"));
  return restrictions;
}

function toLimit(limit: number, window: "minute" | "day"): Restriction {
  const count = formatCount(limit);
  return { name: `Own calls a ${window}`, text: count, short: `${count} a ${window}` };
}
