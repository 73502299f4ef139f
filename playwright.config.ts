import { defineConfig } from "@playwright/test";
import { findInstalledChromium } from "@/scripts/chromium";

/** Left to `npm run test:all`, as in vitest.config.ts. */
const NIGHTLY_JOURNEYS = "**/*.nightly.spec.ts";

export default defineConfig({
  testDir: "e2e/journeys",
  projects: [
    { name: "journeys", testIgnore: NIGHTLY_JOURNEYS },
    { name: "nightly", testMatch: NIGHTLY_JOURNEYS },
  ],
  globalSetup: "./e2e/support/global-setup.ts",
  fullyParallel: false,
  workers: 2,
  timeout: 120_000,
  // A machine that stalls for a minute fails a test here. The end of the run names each that passed when repeated.
  retries: 1,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    actionTimeout: 20_000,
    // Drawing costs the two cores more than anything else here does.
    reducedMotion: "reduce",
    // Its journey allows it. It would keep requests from the other journeys that intercept them.
    serviceWorkers: "block",
    launchOptions: {
      executablePath: findInstalledChromium() ?? undefined,
      // Where no zone is chosen, pages show times in the browser's.
      env: { ...process.env, TZ: "UTC" },
      // A container's root has no user namespace to sandbox in; the browser only ever opens our own pages.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        // The pages of a context share a process, where the scripts are compiled already.
        "--renderer-process-limit=1",
        // Pages hardly ever run long enough to earn back what optimising costs.
        "--js-flags=--no-opt --no-maglev",
      ],
    },
  },
});
