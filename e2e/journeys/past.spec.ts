import type { Page } from "@playwright/test";
import { toAt, withAt } from "@/components/ui/past-address";
import { expectAccessible } from "@/e2e/journeys/accessible";
import { connectAlone, createAccount, expect, expectMovingPrice, findRow, test } from "@/e2e/journeys/fixtures";

/** Every page of the market. */
const PAGES = [
  "/overview",
  "/quotes?open=EURUSD",
  "/symbols/EURUSD?timeframe=M1",
  "/spreads",
  "/ticks?symbol=EURUSD&view=M1",
  "/ticks?symbol=EURUSD&view=ticks",
  "/data-quality?symbol=EURUSD",
  "/sessions",
  "/calendar",
  "/strength",
  "/indicators?symbol=EURUSD&timeframe=M1",
  "/indicators/screener?indicator=RSI_14&timeframe=M5",
] as const;

/** What pages load that is no price and no event of a second: the account's own, and the list of all symbols. */
const OF_THE_PRESENT =
  /^\/(?:sw\.js|notices\/count|calendar\/upcoming|quotes\/(?:instruments|lists)|symbols\/[^/]+\/(?:drawings|alerts))$/;

const bar = (page: Page) => page.getByRole("region", { name: "Past" });
const readSecond = (page: Page) => Date.parse(new URL(page.url()).searchParams.get("at") ?? "");

/** The second that `findRecorded` has found before, which remains recorded. */
let recordedMs: number | null = null;

/** Finds a second that this server has recorded, some seconds ago. */
async function findRecorded(page: Page): Promise<number> {
  if (recordedMs !== null) return recordedMs;
  let atMs = 0;
  await expect(async () => {
    atMs = Math.floor(Date.now() / 1000) * 1000 - 6_000;
    await page.goto(withAt("/quotes", toAt(atMs)));
    await expect(findRow(page, "EURUSD").bid).toHaveText(/^\d/, { timeout: 2_000 });
  }).toPass({ timeout: 40_000 });
  recordedMs = atMs;
  return atMs;
}

/** Opens a page of the past alone, and expects that it shows and requests nothing of another moment. */
async function expectPast(page: Page, path: string, at: string): Promise<void> {
  await connectAlone(page);
  const background: URL[] = [];
  page.on("request", (request) => {
    // A page that is only loaded in advance, such as the one of a form, is not shown.
    if ("next-router-prefetch" in request.headers()) return;
    if (["fetch", "xhr", "eventsource"].includes(request.resourceType())) background.push(new URL(request.url()));
  });
  await page.goto(withAt(path, at));
  await expect(bar(page)).toContainText(`${at.slice(11, 19)} UTC`);
  await expect(page).toHaveTitle(/^Past /);
  // Simulated prices move several times a second.
  await expect(async () => {
    const before = await page.locator("main").innerText();
    await page.waitForTimeout(2_000);
    expect(await page.locator("main").innerText()).toBe(before);
  }).toPass({ timeout: 30_000 });
  const others = background.filter(({ pathname, searchParams }) => {
    if (pathname.startsWith("/live/"))
      return !searchParams.getAll("topic").every((topic) => /^(?:alerts$|drawings\/)/.test(topic));
    return searchParams.get("at") !== at && !OF_THE_PRESENT.test(pathname);
  });
  expect(others.map(({ pathname, search }) => pathname + search)).toEqual([]);
}

// Four at once wait for each other's two seconds.
for (const first of [0, 4, 8]) {
  const paths = PAGES.slice(first, first + 4);
  test(`Nothing but the second of its address is shown and requested: ${paths.join(", ")}`, async ({ trader }) => {
    await connectAlone(trader);
    const at = toAt(await findRecorded(trader));
    const open = async (path: string) => expectPast(await trader.context().newPage(), path, at);
    await Promise.all(paths.map(open));
  });
}

test("A second is chosen with T, stepped with keys and buttons, played, kept by links, and left", async ({
  trader,
}) => {
  const atMs = await findRecorded(trader);
  await trader.goto("/quotes");
  await expectMovingPrice(trader, "EURUSD");
  await trader.keyboard.press("t");
  const dialog = trader.getByRole("dialog", { name: "Go to a past second" });
  await dialog.getByLabel("Date").fill(toAt(atMs).slice(0, 10));
  await dialog.getByLabel("Time").fill("23:59:59");
  await dialog.getByRole("button", { name: "Show this second" }).click();
  if (!toAt(atMs).includes("T23:59")) await expect(dialog.getByRole("alert")).toContainText("has not passed yet");
  await dialog.getByLabel("Time").fill(toAt(atMs).slice(11, 19));
  await dialog.getByRole("button", { name: "Show this second" }).click();
  await expect(trader).toHaveURL(new RegExp(`/quotes\\?at=${toAt(atMs)}$`));
  await expect(bar(trader)).toBeFocused();
  await expectAccessible(bar(trader), "the bar of the past");

  await trader.keyboard.press("ArrowRight");
  await expect.poll(() => readSecond(trader)).toBe(atMs + 1_000);
  await trader.keyboard.press("ArrowLeft");
  await expect.poll(() => readSecond(trader)).toBe(atMs);
  await bar(trader).getByRole("button", { name: "+1 s" }).click();
  await expect.poll(() => readSecond(trader)).toBe(atMs + 1_000);

  // The same second in another page, by the navigation and by a key.
  await trader.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Spreads" }).click();
  await expect(trader).toHaveURL(new RegExp(`/spreads.*at=${toAt(atMs + 1_000)}`));
  await trader.locator("main").focus();
  await trader.keyboard.press("g");
  await trader.keyboard.press("o");
  await expect(trader).toHaveURL(new RegExp(`/overview\\?at=${toAt(atMs + 1_000)}`));
  await trader.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Plan", exact: true }).click();
  await expect(trader).toHaveURL(/\/plan\?at=/);
  await expect(bar(trader)).toContainText("This page is of the present");
  await trader.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Quotes" }).click();
  await expect(bar(trader)).toContainText("Past");

  await bar(trader).getByRole("button", { name: "Play" }).click();
  await expect.poll(() => readSecond(trader)).toBeGreaterThan(atMs + 2_000);
  await bar(trader).getByRole("button", { name: "Pause" }).click();
  await bar(trader).getByRole("button", { name: "Back to live" }).click();
  await expect(trader).toHaveURL(/\/quotes$/);
  await expect(bar(trader)).toBeHidden();
  await expectMovingPrice(trader, "EURUSD");
});

test("Where nothing was recorded, the nearest times are linked; other addresses say what is wrong", async ({
  trader,
}) => {
  await findRecorded(trader);
  await trader.goto("/overview?at=2001-01-03T12:00:00Z");
  await expect(trader.getByRole("heading", { name: "Nothing was recorded then" })).toBeVisible();
  await expectAccessible(trader.getByRole("main"), "a gap");
  await trader.getByRole("link", { name: /^After: / }).click();
  await expect(trader.getByRole("heading", { name: "Movers" })).toBeVisible();
  expect(readSecond(trader)).toBeGreaterThan(Date.parse("2001-01-04T00:00:00Z"));

  await trader.goto("/quotes?at=yesterday");
  await expect(trader.getByRole("heading", { name: "This address has no valid time" })).toBeVisible();
  await trader.goto("/quotes?at=2100-01-01");
  await expect(trader.getByRole("heading", { name: "That second has not come yet" })).toBeVisible();
  await trader.locator("main").getByRole("link", { name: "Back to live" }).click();
  await expectMovingPrice(trader, "EURUSD");
});

test("An account without ticks in its plan sees nothing of the past", async ({ context, spotline }) => {
  await context.clearCookies();
  const page = await createAccount(context, spotline, "no-past@example.com");
  const at = toAt(Math.floor(Date.now() / 1000) * 1000 - 10_000);
  await page.goto(withAt("/quotes", at));
  await expect(page.getByRole("heading", { name: "The past is not part of your plan" })).toBeVisible();
  await expect(page.locator(".board-row")).toHaveCount(0);
  const answer = await page.request.get(withAt("/quotes/EURUSD/sources", at));
  expect(answer.status()).toBe(403);
  await page.goto("/quotes");
  // The page has no keys before its scripts have run.
  await expect(async () => {
    await page.keyboard.press("t");
    await expect(page.getByRole("dialog")).toContainText("part of these plans", { timeout: 1_000 });
  }).toPass();
  await expectAccessible(page.getByRole("dialog"), "the refused choice");
});
