import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@/e2e/journeys/fixtures";
import { migrateWithoutPast } from "@/e2e/support/prepared-past";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { getWeek, getWeekend } from "@/lib/market/sessions/session-week";
import { DAY_MS } from "@/lib/time/units";

test.describe("At the weekend", () => {
  let dataDir: string;
  let server: Spotline;

  test.beforeAll(async () => {
    // Of next week, because the cookies of a server in the past would have ended.
    const saturdayMs = getWeekend(getWeek(Date.now()) + 1).fromMs + DAY_MS / 2;
    const clock = pathToFileURL(resolve("e2e/support/shifted-clock.mjs")).href;
    dataDir = await mkdtemp(join(tmpdir(), "spotline-"));
    await migrateWithoutPast({ SPOTLINE_DATA_DIR: dataDir }, saturdayMs);
    server = await startTestServer({
      dataDir,
      env: {
        SPOTLINE_DEMO: "1",
        SHIFTED_CLOCK_MS: String(saturdayMs - Date.now()),
        // Unlike an argument of node, the process that renders the pages inherits it.
        NODE_OPTIONS: `--import ${clock}`,
      },
    });
  });
  test.afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("the board, the spreads and the sessions say that the simulation goes on", async ({ page }) => {
    await page.goto(server.url);
    await page.getByRole("button", { name: "Look around" }).click();
    await page.waitForURL("**/overview");
    for (const path of ["/quotes", "/spreads", "/sessions"]) {
      await page.goto(server.url + path);
      const badge = page.getByRole("button", { name: /^Simulated weekend data/ });
      await expect(badge, path).toHaveText(/^Simulated weekend/);
      await badge.click();
      await expect(page.getByText("real markets are closed, the simulation goes on"), path).toBeVisible();
    }
    await expect(page.locator("[data-headline]")).toContainText("No session is open, but simulated prices move");
  });
});
