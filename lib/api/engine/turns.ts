import type { Handled } from "@/lib/api/engine/answer";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";

interface TurnOptions {
  /** How many calls may wait. */
  readonly most: number;
  /** What waits, for the message: "exports". */
  readonly what: string;
  /** When a refused call may be repeated: seconds. */
  readonly retryAfterS: number;
}

/** Large answers are made one after the other, so that many of them delay other calls no more than one does. */
export function createTurns({ most, what, retryAfterS }: TurnOptions) {
  let waiting = 0;
  let latest: Promise<unknown> = Promise.resolve();

  /** Makes an answer after those before it. Rejects with 503 SERVICE_UNAVAILABLE if too many wait. */
  return async function inTurn(answer: () => Promise<Handled>): Promise<Handled> {
    if (waiting >= most) {
      const message = `Too many ${what} are waiting. Try again in some seconds.`;
      throw new ApiError("SERVICE_UNAVAILABLE", message, {}, formatHeaderLine("Retry-After", retryAfterS));
    }
    waiting++;
    const own = latest.then(answer).finally(() => waiting--);
    latest = own.catch(() => {});
    return own;
  };
}
