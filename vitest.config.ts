import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SHORT_RUN_FLAGS } from "./lib/platform/testing/node-flags";
import { EarlySequencer } from "./scripts/test-sequencer";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");
/** Beside the code, like the unit tests, but each starts processes, waits for time limits or reads recorded days. */
const PROCESS_TESTS = "{lib,cli,components,features,scripts,e2e/venues}/**/*.process.test.ts";
/** Left to `npm run test:all`: each takes a minute or more, and few changes concern it. */
const NIGHTLY_TESTS = "{lib,e2e}/**/*.nightly.test.ts";
/** A machine that stalls for a minute fails a test. The end of the run names each that passed when repeated. */
const RETRY = 1;
const shared = { resolve: { alias: { "@": root } } };
const SETUPS = ["e2e/support/global-setup.ts", "lib/platform/testing/global-setup.ts"];
/** Whole processes: servers, commands, databases that are killed. */
const processes = {
  // They wait more than they compute.
  maxWorkers: 5,
  retry: RETRY,
  execArgv: SHORT_RUN_FLAGS,
  // Files share a worker's modules. None of them mocks one.
  isolate: false,
  setupFiles: ["lib/platform/testing/clean-catalog.ts"],
  testTimeout: 150_000,
  hookTimeout: 240_000,
};

export default defineConfig({
  test: {
    maxWorkers: "100%",
    sequence: { sequencer: EarlySequencer },
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          retry: RETRY,
          // They wait for databases and sockets.
          maxWorkers: 4,
          // Connectors are tested against venues of the same process; no Spotline server starts.
          include: [
            "{lib,cli,app,components,features,scripts,bench,clients}/**/*.test.{ts,tsx}",
            "e2e/venues/**/*.test.ts",
          ],
          exclude: [PROCESS_TESTS, NIGHTLY_TESTS],
          globalSetup: ["lib/platform/testing/global-setup.ts"],
          setupFiles: ["lib/platform/testing/clean-catalog.ts"],
          // Files share a worker's modules and databases; none of them mocks a module.
          isolate: false,
          execArgv: SHORT_RUN_FLAGS,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Over real HTTP, against the built server.
        ...shared,
        test: {
          name: "api",
          // They wait for the server.
          maxWorkers: 3,
          retry: RETRY,
          include: ["e2e/api/**/*.test.ts"],
          globalSetup: ["e2e/support/global-setup.ts", "e2e/api/global-setup.ts"],
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 180_000,
        },
      },
      {
        ...shared,
        test: {
          ...processes,
          name: "process",
          include: ["e2e/process/**/*.test.ts", PROCESS_TESTS],
          exclude: [NIGHTLY_TESTS],
          globalSetup: [...SETUPS, "e2e/process/global-setup.ts"],
        },
      },
      { ...shared, test: { ...processes, name: "nightly", include: [NIGHTLY_TESTS], globalSetup: SETUPS } },
    ],
  },
});
