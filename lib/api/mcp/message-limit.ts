import type { KeyEntry } from "@/lib/access/admission/directory";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Messages that an agent sends beside its calls: to begin, and to list the tools. */
const BESIDE_CALLS = 60;

/**
 * Limits the messages of each key in a minute. The calls of tools are counted by the API itself; without this limit, the
 * other messages of the protocol would have none.
 */
export class MessageLimit {
  #minute = 0;
  readonly #counts = new Map<string, number>();

  /** Throws 429 RATE_LIMIT_EXCEEDED above twice the calls that the key may make, and some more. */
  count({ id, perMinute }: Pick<KeyEntry, "id" | "perMinute">, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const limit = 2 * perMinute + BESIDE_CALLS;
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    if (count <= limit) return;
    const seconds = Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / SECOND_MS);
    throw new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `An agent with this API key may send ${limit} messages a minute.`,
      { limit, remaining: 0, reset_in_seconds: seconds },
      formatHeaderLine("Retry-After", seconds),
    );
  }
}
