/** How many calls a process may count alone, because counting each of them together with others would cost too much. */

/** Nothing is granted while fewer calls are left: what was granted to a process that is killed counts as made. */
export const LEAST_LEFT = 1_000;
/** Of the calls that are left, at most one of so many is granted. */
export const GRANTED_SHARE = 16;
export const LEAST_GRANTED = 8;
const MOST_GRANTED = 1_024;
/** Only a key that is used this often is granted calls. */
export const BUSY_MS = 100;
/** Calls that were granted longer ago are returned, so that the common count is never far behind. */
export const RETURN_EVERY_MS = 200;

/**
 * The size of the next grant, after so many calls of the last one were not made. It follows what a key uses until a grant
 * is returned, so that others see few calls counted that are never made.
 */
export function resizeGrant(calls: number, unused: number): number {
  if (unused === 0) return Math.min(MOST_GRANTED, 2 * calls);
  return unused > calls / 2 ? Math.max(LEAST_GRANTED, Math.ceil(calls / 2)) : calls;
}
