/**
 * A flag of node with which the embedded database's WebAssembly is not optimised. Optimising it takes seconds of
 * computing at each start, which hardly any test is long enough to earn back.
 */
export const NO_OPTIMISING = "--liftoff-only";
