/** UTC milliseconds since 1970. Passed in wherever time matters, so that tests hold the clock. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
