import { ApiError, ConnectionError } from "./errors.js";

/** When a call is sent again. Only GET is: it changes nothing. */
export interface RetryPolicy {
  /** How often a call is sent again after a failure. */
  readonly retries: number;
  /** The wait before the first repetition, in milliseconds; it doubles each time. */
  readonly baseMs: number;
  /** The longest of these waits. */
  readonly maxMs: number;
  /** A server that wants a longer pause than this, as after the last call of a day, gets no repetition: the error is thrown. */
  readonly maxRetryAfterMs: number;
}

export const RETRY_DEFAULTS: RetryPolicy = { retries: 3, baseMs: 250, maxMs: 8_000, maxRetryAfterMs: 65_000 };

const REPEATABLE = new Set([429, 500, 502, 503, 504]);
/** Clients that were told the same moment come back spread over this time. */
const SPREAD_MS = 250;

/**
 * How long to wait before a call is sent again, in milliseconds; null if it should not be. The wait is what the server
 * says, else between half and all of an exponential back-off.
 *
 * @param retry how many repetitions there were already
 * @param random a number from 0 to 1
 */
export function computeRetryDelay(
  failure: unknown,
  retry: number,
  { baseMs, maxMs, maxRetryAfterMs }: RetryPolicy,
  random: number,
): number | null {
  if (failure instanceof ApiError) {
    if (!REPEATABLE.has(failure.status ?? 0)) return null;
    const { retryAfterMs } = failure;
    if (retryAfterMs !== null) return retryAfterMs > maxRetryAfterMs ? null : retryAfterMs + random * SPREAD_MS;
  } else if (!(failure instanceof ConnectionError)) return null;
  const backoffMs = Math.min(maxMs, baseMs * 2 ** retry);
  return backoffMs * (0.5 + random / 2);
}

/** Waits. Rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
