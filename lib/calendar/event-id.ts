import { createHash } from "node:crypto";
import type { ReportedEvent, Stream } from "@/lib/calendar/event";
import { DAY_MS } from "@/lib/time/units";

/**
 * The id of a row at the moment it is first heard of: 16 hexadecimal characters of a SHA-256. It is kept from then on,
 * so that neither a new date nor another title changes it; hashing merely gives two installations the same ids.
 *
 * @param ordinal how many rows of the same name and day there are before this one
 */
export function createEventId(stream: Stream, provider: string, event: ReportedEvent, ordinal: number): string {
  const day = Math.floor(event.timeMs / DAY_MS);
  const name = event.key === null ? ["day", event.currency, event.title, day, ordinal] : ["key", event.key, ordinal];
  return createHash("sha256")
    .update([stream, provider, ...name].join("\n"))
    .digest("hex")
    .slice(0, 16);
}
