import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createAccount,
  expect,
  expectConnection,
  expectMovingPrice,
  findRow,
  PASSWORD,
  submitAccount,
  test,
  TRADER,
} from "@/e2e/journeys/fixtures";
import { migrateWithoutPast } from "@/e2e/support/prepared-past";
import { findSignUpPath, type Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { getWeek, getWeekend } from "@/lib/market/sessions/session-week";
import { DAY_MS } from "@/lib/time/units";

const EMAIL = "first@example.com";

test.describe("On a new installation at a weekend", () => {
  let dataDir: string;
  let empty: Spotline;

  test.beforeAll(async () => {
    // Of next week, because the cookies of a server in the past would have ended.
    const saturdayMs = getWeekend(getWeek(Date.now()) + 1).fromMs + DAY_MS / 2;
    const clock = pathToFileURL(resolve("e2e/support/shifted-clock.mjs")).href;
    dataDir = await mkdtemp(join(tmpdir(), "spotline-"));
    // A server that computes the past of all symbols would take a core from the other journeys.
    await migrateWithoutPast({ SPOTLINE_DATA_DIR: dataDir }, saturdayMs);
    empty = await startTestServer({
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
    await empty.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("the first visitor sets it up, sees moving prices and can sign in again", async ({ page }) => {
    const url = empty.url.replace("127.0.0.1", "localhost");
    await page.goto(url);
    await page.getByRole("link", { name: "Set up this installation" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Set up this installation");
    await expect(page.getByRole("main")).toContainText("open the setup link that the server wrote to its log");
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await page.goto(url + (await findSignUpPath(empty.url)));
    await expect(page.getByRole("main")).toContainText("The first account belongs to the operator");
    await submitAccount(page, EMAIL, PASSWORD);

    await expect(page).toHaveURL(`${url}/overview`);
    await expect(page.getByRole("heading", { name: "Your first call in three steps" })).toBeVisible();
    await expect(page.locator("#overview-curl")).toContainText(`${url}/v1/quote`);
    await page.getByRole("link", { name: "Quotes", exact: true }).first().click();
    await expectMovingPrice(page, "EURUSD");
    await expectConnection(page, "Streaming");
    await page.getByRole("button", { name: /^Simulated weekend data/ }).click();
    await expect(page.getByText("never to trade")).toBeVisible();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /Account menu/ }).click();
    await expect(page.getByText("Free plan, operator").filter({ visible: true })).toBeVisible();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${url}/sign-in`);

    const refusals: string[] = [];
    for (const [email, password] of [
      [EMAIL, "not the password"],
      ["nobody@example.com", PASSWORD],
    ] as const) {
      await page.goto(`${url}/sign-in`);
      await submitAccount(page, email, password);
      refusals.push((await page.locator("main [role=alert]").textContent()) ?? "");
    }
    expect(refusals[0]).toMatch(/not right/);
    expect(refusals[1]).toBe(refusals[0]);

    await page.goto(`${url}/keys/new`);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await submitAccount(page, EMAIL, PASSWORD);
    await expect(page).toHaveURL(`${url}/keys/new`);
  });

  test("the board, the spreads and the sessions say that the simulation goes on", async ({ page }) => {
    await page.goto(empty.url);
    await page.getByRole("button", { name: "Look around" }).click();
    await page.waitForURL("**/overview");
    for (const path of ["/quotes", "/spreads", "/sessions"]) {
      await page.goto(empty.url + path);
      const badge = page.getByRole("button", { name: /^Simulated weekend data/ });
      await expect(badge, path).toHaveText(/^Simulated weekend/);
      await badge.click();
      await expect(page.getByText("real markets are closed, the simulation goes on"), path).toBeVisible();
    }
    await expect(page.locator("[data-headline]")).toContainText("No session is open, but simulated prices move");
  });

  test("a stopping server closes the streams of open boards, whose prices are then not shown as live", async ({
    context,
  }) => {
    const page = await createAccount(context, empty, "watcher@example.com");
    await page.goto(`${empty.url}/quotes`);
    await expectConnection(page, "Streaming");
    const { button } = findRow(page, "EURUSD");
    await button.click();
    await expect(page.getByRole("region", { name: "Sources of EURUSD" })).toContainText("live");

    const stoppedAtMs = Date.now();
    expect(await empty.stop()).toBe(0);
    expect(Date.now() - stoppedAtMs).toBeLessThan(10_000);

    await expectConnection(page, "Offline");
    await expect(page.getByText(/^(live|delayed|stale|closed)$/).filter({ visible: true })).toHaveCount(0);
    await expect(page.getByRole("alert").filter({ hasText: "These prices no longer update" })).toBeVisible();
  });
});

test("A sign-in link leads to no other site, whatever next page it or its form names", async ({
  page,
  spotline,
  signedIn,
}) => {
  expect(signedIn.cookies).not.toEqual([]);
  const next = "//evil.example";
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  // Anyone can also change the path in the form.
  await page.locator("input[name=next]").evaluate((input: HTMLInputElement, value) => (input.value = value), next);
  await submitAccount(page, TRADER, PASSWORD);
  await expect(page).toHaveURL(`${spotline.url}/overview`);
});
