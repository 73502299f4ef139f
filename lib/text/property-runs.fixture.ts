/** Set for runs that take their time: `npm run test:all` and `npm run test:dates`. */
const isWhole = process.env["SPOTLINE_TEST_WHOLE"] === "1";
const USUAL_RUNS = 300;

/** How often a property with many cases is tried: `full` times in a whole run, and `usual` times in others. */
export const manyRuns = (full: number, usual = USUAL_RUNS): number => (isWhole ? full : Math.min(full, usual));
