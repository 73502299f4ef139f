import type { Page } from "@playwright/test";
import { expectAccessible } from "@/e2e/journeys/accessible";
import { confirmIfAsked, expect, test } from "@/e2e/journeys/fixtures";
import { INGEST_TOKEN, type Spotline } from "@/e2e/support/spotline";
import { MINUTE_MS } from "@/lib/time/units";

const UNSET = "-9223372036854775808";

/** Pushes a release to the server like a MetaTrader 5 terminal. */
async function push({ url }: Spotline, release: { id: string; name: string; atMs: number; actual?: string }) {
  const { id, name, atMs, actual = UNSET } = release;
  const event = { id: `9${id}`, name, currency: "USD", importance: 3, digits: 1 };
  const value = { id, event_id: event.id, time: Math.floor(atMs / 1000), actual_value: actual };
  const values = [{ ...value, prev_value: "49000000", revised_prev_value: UNSET, forecast_value: "50000000" }];
  const answer = await fetch(`${url}/ingest/v1/mt5/calendar`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Ingest-Token": INGEST_TOKEN },
    body: JSON.stringify({ server: "Journey", utc_offset_s: 0, events: [event], values }),
  });
  expect(answer.status).toBe(200);
}

const events = (page: Page) => page.locator("tr[data-line=event]");
const eventNamed = (page: Page, name: string) => events(page).filter({ has: page.getByRole("button", { name }) });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("The filters of the calendar are in the address and apply to the next visit", async ({ trader }) => {
  await trader.goto("/calendar");
  const all = await events(trader).count();
  await button(trader, "High").click();
  await button(trader, "USD").click();
  await expect(trader).toHaveURL(/\?range=week&currencies=USD&impact=high$/);
  await expect(events(trader).getByTitle(/^(Low|Medium) impact$/)).toHaveCount(0);
  await expect(events(trader).filter({ hasNot: trader.getByRole("cell", { name: "USD", exact: true }) })).toHaveCount(
    0,
  );
  const shown = await events(trader).count();
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(all);

  await trader.goto("/quotes");
  await trader.goto("/calendar");
  await expect(button(trader, "High")).toHaveAttribute("aria-pressed", "true");
  await expect(events(trader)).toHaveCount(shown);
  await expect(trader).toHaveURL(/\?range=week&currencies=USD&impact=high$/);

  await trader.goto("/calendar?range=week&zone=UTC");
  await expect(button(trader, "High")).toHaveAttribute("aria-pressed", "false");
  await expect(events(trader)).toHaveCount(all);
  await trader.goto("/calendar?impact=low");
  await expect(button(trader, "High")).toHaveAttribute("aria-pressed", "false");
  await expect(button(trader, "Low")).toHaveAttribute("aria-pressed", "true");
});

test("The calendar steps from one week to the next, and the address has the week", async ({ trader }) => {
  await trader.goto("/calendar?range=week");
  const days = trader.locator("tr[data-line=day]");
  const present = trader.locator("tr[data-line=now]");
  await expect(present).toBeVisible();
  const first = await days.allTextContents();
  const top = async (name: string) => (await button(trader, name).boundingBox())?.y;
  await trader.setViewportSize({ width: 1440, height: 900 });
  expect(await top("Today")).toBeCloseTo((await top("Week")) ?? 0, -1);
  expect(await top("NZD")).toBeCloseTo((await top("High")) ?? 0, -1);
  await expect(button(trader, "Today")).toBeDisabled();
  await button(trader, "Next week").click();
  await expect(trader).toHaveURL(/\?range=week&date=\d{4}-\d\d-\d\d$/);
  await expect(present).toHaveCount(0);
  await expect(days).not.toHaveText(first);
  const next = await days.allTextContents();
  await trader.reload();
  await expect(days).toHaveText(next);
  await button(trader, "Previous week").click();
  await expect(trader).toHaveURL(/\?range=week$/);
  await expect(days).toHaveText(first);
  await trader.getByLabel("Date", { exact: true }).fill("2026-03-11");
  await expect(trader).toHaveURL(/\?range=week&date=2026-03-11$/);
  await expect(trader.getByRole("heading", { name: "8 Mar – 14 Mar 2026" })).toBeVisible();
  await button(trader, "Today").click();
  await expect(days).toHaveText(first);
});

test("A search is literal and has an empty state", async ({ trader }) => {
  await trader.goto("/calendar?range=month");
  const search = trader.getByRole("searchbox", { name: "Search events" });
  await search.fill("cPi");
  await expect(trader).toHaveURL(/q=cPi/);
  for (const title of await events(trader).getByRole("button").allTextContents()) expect(title).toMatch(/cpi/i);
  await search.fill("100%_");
  await expect(trader.getByText("No events found")).toBeVisible();
  await button(trader, "Show all events").click();
  await expect(events(trader).first()).toBeVisible();
  await expect(search).toHaveValue("");
});

test("A released figure appears on the open page as better than expected", async ({ trader, spotline }) => {
  const atMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  const release = { id: "72", name: "Arriving PMI", atMs };
  await push(spotline, release);
  await trader.goto("/calendar?range=week&q=Arriving");
  const actual = eventNamed(trader, "Arriving PMI").getByRole("cell").nth(3);
  await expect(actual).toHaveText(/–$/);
  await trader.evaluate(() => document.body.setAttribute("data-stays", "yes"));
  await push(spotline, { ...release, actual: "51200000" });
  await expect(actual).toContainText("51.2");
  await expect(actual).toContainText("better than expected");
  await expect(trader.locator("body")).toHaveAttribute("data-stays", "yes");
});

test("The next release has a countdown, and the line of the present stays in view", async ({ trader }) => {
  await trader.goto("/calendar?range=near");
  await expect(trader.getByRole("timer", { name: "Time to the next release" })).toHaveText(
    /^(\d+d \d+h|\d+h \d\dm|\d+m \d\ds)$/,
  );
  const now = trader.locator("tr[data-line=now]");
  for (const place of [0, 0.5, 1]) {
    await trader.evaluate((share) => scrollTo(0, document.documentElement.scrollHeight * share), place);
    await expect(now).toBeInViewport({ ratio: 0.9 });
  }
});

test("An event opens with its series, its surprises and the measured moves", async ({ trader }) => {
  await trader.goto("/calendar?range=month&currencies=USD&q=Initial Jobless");
  const first = events(trader).getByRole("button").first();
  await button(trader, "NZD").focus();
  for (let presses = 0; presses < 6; presses++) {
    await trader.keyboard.press("Tab");
    if (await first.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(first).toBeFocused();
  await trader.keyboard.press("Enter");
  await expect(first).toHaveAttribute("aria-expanded", "true");
  const chart = trader.getByRole("figure", { name: "Released figures" });
  await expect(chart.locator("rect").nth(8)).toBeVisible();
  const releases = trader.getByRole("region", { name: "Past releases" }).getByRole("row");
  await expect(releases).toHaveCount(13);
  await expect(releases.nth(1)).toContainText(/\dσ/);
  await expect(trader.getByText("Weekly", { exact: true })).toBeVisible();
  await button(trader, "USDJPY").click();
  await expect(releases.first()).toContainText("USDJPY ±30 min");
  await expect(trader).toHaveURL(/&event=[0-9a-f]{16}&pair=USDJPY$/);
  await trader.reload();
  await expect(first).toHaveAttribute("aria-expanded", "true");
  await expect(releases.first()).toContainText("USDJPY ±30 min");
  const answer = await trader.request.get(`/calendar/moves?id=unknown&symbol=EURUSD`);
  expect(answer.status()).toBe(404);
  await expectAccessible(trader.locator("tr", { has: chart }), "an open event");
  await first.press("Enter");
  await expect(chart).toHaveCount(0);
  await expect(trader).not.toHaveURL(/event=|pair=/);
});

test("A reminder is given five minutes before an event, on any page, once", async ({ trader, spotline }) => {
  await trader.context().grantPermissions(["notifications"]);
  const atMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 4 * MINUTE_MS;
  await trader.goto("/calendar?range=near&q=Reminded");
  await button(trader, "Remind me").click();
  await expectAccessible(trader.getByRole("dialog"), "reminders");
  await button(trader, "Remind me of: “Reminded” in the title").click();
  await button(trader, "Done").click();
  await push(spotline, { id: "74", name: "Reminded PMI", atMs });
  // An open page reads the next hour's events once a minute, which is longer than a test waits.
  const readUpcoming = async () => (await trader.request.get("/calendar/upcoming")).text();
  await expect.poll(readUpcoming).toContain("Reminded PMI");
  await trader.goto("/sessions");
  const notice = trader.getByRole("status", { name: "Reminders" });
  await expect(notice).toContainText("USD Reminded PMI");
  await expect(notice).toContainText(/In [1-5] min, high impact, forecast 50.0/);
  await trader.getByRole("button", { name: "Close the reminder of Reminded PMI" }).click();
  await expect(notice).toBeEmpty();
  await trader.reload();
  await expect(trader.getByRole("timer", { name: "Time in London" })).toBeVisible();
  await expect(notice).toBeEmpty();
});

test("All pages have the times of the device, until another zone is chosen", async ({
  browser,
  spotline,
  signedIn,
}) => {
  const storageState = { ...signedIn, cookies: signedIn.cookies.filter(({ name }) => name !== "spotline-zone") };
  const context = await browser.newContext({ baseURL: spotline.url, storageState, timezoneId: "Asia/Tokyo" });
  const page = await context.newPage();
  const zone = page.getByLabel("Times in");
  await page.goto("/calendar");
  await expect(zone).toHaveValue("Asia/Tokyo");
  const html = await (await page.request.get("/sessions")).text();
  expect(html).toContain('<option value="Asia/Tokyo" selected');
  await zone.selectOption("America/New_York");
  await page.goto("/sessions");
  await expect(zone).toHaveValue("America/New_York");
  await page.goto("/calendar?range=week&zone=UTC");
  await expect(zone).toHaveValue("UTC");
  await page.goto("/calendar?range=week");
  await expect(zone).toHaveValue("America/New_York");
  await context.close();
});

test("A calendar program can subscribe to the filtered calendar", async ({ trader }) => {
  await trader.goto("/keys/new");
  await trader.getByLabel("Label").fill("My diary");
  await trader.getByRole("radio", { name: /^Tool/ }).check();
  await confirmIfAsked(trader);
  await button(trader, "Create key").click();
  await trader.getByLabel("I have stored this key").check();
  await button(trader, "Done").click();
  await trader.waitForURL("**/keys");
  await trader.goto("/calendar?currencies=USD&impact=high");
  await button(trader, "Subscribe").click();
  await trader.getByLabel("API key of the feed").selectOption({ label: "My diary" });
  const address = (await trader.locator("#feed-address").textContent()) ?? "";
  expect(address).toMatch(/\/v1\/calendar\.ics\?currencies=USD&impact=high&token=fxc_/);
  const answer = await fetch(address);
  expect(answer.status).toBe(200);
  const summaries = (await answer.text()).match(/^SUMMARY:.*/gm) ?? [];
  expect(summaries.length).toBeGreaterThan(0);
  for (const summary of summaries) expect(summary).toMatch(/^SUMMARY:USD /);
  await trader.keyboard.press("Escape");
  await expect(trader.locator("#feed-address")).toHaveCount(0);
});
