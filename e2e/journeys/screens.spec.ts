import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { getBox } from "@/e2e/journeys/boxes";
import { createAccount, expect, signIn, test, TRADER } from "@/e2e/journeys/fixtures";

const PHONE = { width: 390, height: 844 };

const findPanel = (page: Page, name: string): Locator =>
  page.locator("[data-panel]").and(page.getByRole("group", { name, exact: true }));

/** Waits until what was changed is kept with the account. */
async function expectSaved(page: Page): Promise<void> {
  await expect(page.locator("[data-save-state=saved]")).toBeAttached({ timeout: 15_000 });
}

test("A trader arranges a screen with mouse and keyboard, and it is the same on the next device", async ({
  trader,
  browser,
  spotline,
}) => {
  await trader.setViewportSize({ width: 1440, height: 900 });
  await trader.goto("/screens");
  await trader.getByRole("button", { name: "Use Four charts" }).click();
  await expect(trader).toHaveURL(/\/screens\/[0-9a-f-]{36}$/);
  const euro = findPanel(trader, "Chart of EURUSD, M15");
  await expect(euro.locator("canvas").first()).toBeVisible({ timeout: 20_000 });
  await expectAccessible(trader.getByRole("main"), "screen");
  await expectNoSidewaysScroll(trader, "screen");

  const before = await getBox(euro);
  // The edge between two panels moves on its whole length, and its neighbour gives way.
  await trader.mouse.move(before.x + before.width, before.y + before.height / 2);
  await trader.mouse.down();
  await trader.mouse.move(before.x + before.width + 160, before.y + 100, { steps: 8 });
  await trader.mouse.up();
  await expect.poll(async () => (await getBox(euro)).width).toBeGreaterThan(before.width + 80);
  const beside = await getBox(findPanel(trader, "Chart of GBPUSD, M15"));
  expect(beside.width).toBeLessThan(before.width - 80);

  // A panel that is dropped on the middle of another one changes places with it.
  const gold = findPanel(trader, "Chart of XAUUSD, M15");
  const goldBox = await getBox(gold);
  const grip = euro.locator("[data-panel-head]");
  const gripBox = await getBox(grip);
  await trader.mouse.move(gripBox.x + gripBox.width / 2, gripBox.y + gripBox.height / 2);
  await trader.mouse.down();
  await trader.mouse.move(goldBox.x + goldBox.width / 2, goldBox.y + goldBox.height / 2, { steps: 12 });
  await trader.mouse.up();
  await expect.poll(async () => Math.round((await getBox(euro)).x)).toBe(Math.round(goldBox.x));

  // With the keyboard: back again, and one step wider; the next arrangement is cancelled.
  await trader.getByRole("button", { name: "Arrange panels with the keyboard" }).click();
  const target = trader.locator("[data-arrange=eurusd]");
  await target.focus();
  await trader.keyboard.press("ArrowLeft");
  await expect(trader.getByRole("status").filter({ hasText: "changed places with Chart of USDJPY" })).toBeAttached();
  await expectAccessible(target, "arranging");
  await trader.keyboard.press("Shift+ArrowLeft");
  await trader.keyboard.press("Enter");
  await expect(target).toBeHidden();
  const kept = await getBox(euro);
  await trader.getByRole("button", { name: "Arrange panels with the keyboard" }).click();
  await trader.locator("[data-arrange=eurusd]").focus();
  await trader.keyboard.press("ArrowUp");
  await trader.keyboard.press("Escape");
  await expect.poll(async () => JSON.stringify(await getBox(euro))).toBe(JSON.stringify(kept));
  await expectSaved(trader);

  await trader.reload();
  await expect.poll(async () => JSON.stringify(await getBox(euro))).toBe(JSON.stringify(kept));

  // Another device of the same account.
  const context = await browser.newContext({ baseURL: spotline.url, viewport: { width: 1440, height: 900 } });
  const other = await signIn(context, spotline, TRADER);
  await other.goto(trader.url());
  await expect
    .poll(async () => JSON.stringify(await getBox(findPanel(other, "Chart of EURUSD, M15"))))
    .toBe(JSON.stringify(kept));
  await context.close();
});

test("Linked panels change their symbol together, also in another window", async ({ trader }) => {
  await trader.setViewportSize({ width: 1440, height: 900 });
  await trader.goto("/screens?ready=scalper");
  await trader.getByRole("button", { name: "Copy to my screens" }).click();
  await expect(trader).toHaveURL(/\/screens\/[0-9a-f-]{36}$/);
  await expect(findPanel(trader, "Chart of EURUSD, M1")).toBeVisible();
  const second = await trader.context().newPage();
  await second.setViewportSize({ width: 1440, height: 900 });
  await second.goto("/screens?ready=swing");
  await expect(findPanel(second, "Chart of EURUSD, D1")).toBeVisible();

  await trader.bringToFront();
  await findPanel(trader, "Quotes")
    .getByRole("button", { name: /^GBPUSD/ })
    .click();
  for (const name of ["Chart of GBPUSD, M1", "Chart of GBPUSD, M5", "Spread of GBPUSD"]) {
    await expect(findPanel(trader, name)).toBeVisible();
  }
  await expect(findPanel(second, "Chart of GBPUSD, D1")).toBeVisible();
  await expectSaved(trader);
  await second.close();
});

test("A link shows a screen to another account, which copies it; it has none of the lists", async ({
  trader,
  browser,
  spotline,
}) => {
  await trader.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await trader.setViewportSize({ width: 1440, height: 900 });
  await trader.goto("/screens?ready=event-day");
  await trader.getByRole("button", { name: "Copy a link to this screen" }).click();
  await expect(trader.getByText(/^Link copied/)).toBeVisible();
  const link = await trader.evaluate(() => navigator.clipboard.readText());
  const context = await browser.newContext({ baseURL: spotline.url, viewport: { width: 1440, height: 900 } });
  const other = await createAccount(context, spotline, "screens-other@example.com");
  await other.goto(link);
  await expect(findPanel(other, "Chart of USDJPY, M1")).toBeVisible();
  // Its plan has no calendar: that panel says so, and the others go on.
  await expect(findPanel(other, "Calendar").getByText("The economic calendar is included in")).toBeVisible();
  await other.getByRole("button", { name: "Copy to my screens" }).click();
  await expect(other).toHaveURL(/\/screens\/[0-9a-f-]{36}$/);
  const mine = other.url();
  // Nobody else finds it by its address.
  expect((await trader.goto(mine))?.status()).toBe(404);
  await other.goto(`${link.slice(0, -9)}`);
  await expect(other.getByRole("heading", { name: "This link is damaged" })).toBeVisible();
  await context.close();
});

test("On a phone a screen is a swipe: one panel at a time", async ({ browser, spotline }) => {
  const context = await browser.newContext({ baseURL: spotline.url, viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await signIn(context, spotline, TRADER);
  await page.goto("/screens?ready=scalper");
  const first = findPanel(page, "Chart of EURUSD, M1");
  await expect(first).toBeInViewport();
  expect((await getBox(first)).width).toBe(PHONE.width);
  const dots = page.getByRole("group", { name: "Panels", exact: true });
  await dots.getByRole("button", { name: "Quotes" }).click();
  await expect(findPanel(page, "Quotes")).toBeInViewport({ ratio: 0.9 });
  await expect(dots.getByRole("button", { name: "Quotes" })).toHaveAttribute("aria-current", "true");
  await expectAccessible(dots, "screen on a phone");
  await expectNoSidewaysScroll(page, "screen on a phone");
  await context.close();
});

test("A screen is renamed, duplicated, ordered and deleted", async ({ trader }) => {
  await trader.setViewportSize({ width: 1440, height: 900 });
  await trader.goto("/screens?ready=swing");
  await trader.getByRole("button", { name: "Copy to my screens" }).click();
  await expect(trader).toHaveURL(/\/screens\/[0-9a-f-]{36}$/);
  const menu = trader.getByRole("button", { name: /^Screen: / });
  await menu.click();
  await trader.getByRole("button", { name: "Rename…" }).click();
  await trader.getByRole("textbox", { name: "Name" }).fill("Evening");
  await trader.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(trader.getByRole("heading", { name: "Evening", level: 1 })).toBeAttached();
  await expectSaved(trader);
  const first = trader.url();
  await menu.click();
  await trader.getByRole("button", { name: "Duplicate" }).click();
  await expect(trader).not.toHaveURL(first);
  await expect(trader.getByRole("heading", { name: "Evening copy", level: 1 })).toBeAttached();
  await menu.click();
  await trader.getByRole("button", { name: "Move Evening copy up" }).click();
  const names = trader.getByRole("list", { name: "Your screens" }).getByRole("link");
  await expect
    .poll(async () => (await names.allTextContents()).indexOf("Evening copy"))
    .toBeLessThan((await names.allTextContents()).indexOf("Evening"));
  await trader.getByRole("button", { name: "Delete…" }).click();
  await trader.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(trader.getByRole("heading", { name: "Evening copy", level: 1 })).not.toBeAttached();
});

test("Changes of screens need a session, a page of this site, and the account's own screen", async ({
  trader,
  browser,
  spotline,
}) => {
  await trader.goto("/screens?ready=four-charts");
  await trader.getByRole("button", { name: "Copy to my screens" }).click();
  await expect(trader).toHaveURL(/\/screens\/[0-9a-f-]{36}$/);
  const path = `${new URL(trader.url()).pathname}/data`;
  const screen = (await (await trader.request.get(path)).json()) as { content: object; revision: number };
  const headers = { Origin: spotline.url };
  const data = { ...screen, name: "Taken over" };
  // Browsers send an origin with a change. The API, to which one without it goes, has no such path.
  expect((await trader.request.put(path, { data })).status()).toBe(404);
  expect((await trader.request.put(path, { data, headers: { Origin: "https://evil.example" } })).status()).toBe(403);
  expect((await trader.request.put(path, { data: { ...data, revision: "1" }, headers })).status()).toBe(400);
  expect((await trader.request.put(path, { data: { ...data, content: {} }, headers })).status()).toBe(400);
  expect((await trader.request.put(path, { data: "[", headers })).status()).toBe(400);
  expect((await trader.request.put(path, { data: { ...data, revision: 0 }, headers })).status()).toBe(409);
  expect((await trader.request.post("/screens/data", { data: { name: "x".repeat(40_000) }, headers })).status()).toBe(
    413,
  );

  const context = await browser.newContext({ baseURL: spotline.url });
  const other = await createAccount(context, spotline, "screens-foreign@example.com");
  expect((await other.request.get(path)).status()).toBe(404);
  expect((await other.request.put(path, { data, headers })).status()).toBe(404);
  expect((await other.request.delete(path, { headers })).status()).toBe(404);
  await context.clearCookies();
  for (const answer of [
    await other.request.get(path),
    await other.request.put(path, { data, headers }),
    await other.request.delete(path, { headers }),
    await other.request.post("/screens/data", { data, headers }),
    await other.request.put("/screens/order", { data: { ids: [] }, headers }),
  ]) {
    expect(answer.status()).toBe(401);
  }
  expect(await (await trader.request.get(path)).json()).toEqual(screen);
  await context.close();
});
