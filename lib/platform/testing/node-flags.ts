/**
 * Flags of node for processes of tests, which hardly ever run long enough to earn back what optimising costs: JavaScript is
 * optimised after about seven times as much work as usual.
 */
export const SHORT_RUN_FLAGS = ["--interrupt-budget=500000"];
