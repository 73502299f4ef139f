/**
 * Flags of node for processes of tests, which hardly ever run long enough to earn back what optimising costs. The embedded
 * database's WebAssembly is not optimised, and JavaScript only after about seven times as much work as usual. Measured: a
 * server with its pages starts with a sixth less processor time.
 */
export const SHORT_RUN_FLAGS = ["--liftoff-only", "--interrupt-budget=500000"];
