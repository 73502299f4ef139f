/** UTC milliseconds since 1970. Passed in wherever time matters, so that tests control it. */
export type Clock = () => number;

/** The original function, read before anything replaces it, because it is called several times a request. */
export const systemClock: Clock = Date.now;

/** Milliseconds since an arbitrary moment. They pass evenly, also when the system clock is set. */
export const monotonicClock: Clock = () => performance.now();

/** Milliseconds that pass evenly and are the same in all processes of a machine, so that they can compare moments. */
export const machineClock: Clock = () => Number(process.hrtime.bigint() / 1_000n) / 1_000;
