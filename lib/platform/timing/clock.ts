/** UTC milliseconds since 1970. Passed in wherever time matters, so that tests control it. */
export type Clock = () => number;

/** The original function, read before anything replaces it, because it is called several times a request. */
export const systemClock: Clock = Date.now;

/** Milliseconds since an arbitrary moment. They pass evenly, also when the system clock is set. */
export const monotonicClock: Clock = () => performance.now();
