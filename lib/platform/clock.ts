/** UTC milliseconds since 1970. Passed in wherever time matters, so that tests hold the clock. */
export type Clock = () => number;

/** The original function, held from before anything replaces it: it is called several times a request. */
export const systemClock: Clock = Date.now;
