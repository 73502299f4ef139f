import type { Page, Request } from "@playwright/test";
import { expectAccessible } from "@/e2e/journeys/accessible";
import { connectAlone, createAccount, expect, test } from "@/e2e/journeys/fixtures";
import { HOUR_MS } from "@/lib/time/units";

/** Crypto trades on every day of the week. */
const SYMBOL = "BTCUSD";

const findChart = (page: Page) => page.getByRole("application", { name: new RegExp(`^Chart of ${SYMBOL}`) });
const findLegend = (page: Page) => page.locator("[data-legend]");

async function openChart(page: Page, query = ""): Promise<void> {
  await page.goto(`/symbols/${SYMBOL}${query}`);
  await expect(findChart(page).locator("canvas").first()).toBeVisible();
}

test("A chart follows the price, and its keys move, zoom and change it", async ({ trader: page }) => {
  await openChart(page, "?timeframe=M5");
  const legend = findLegend(page);
  await expect(legend).toContainText(/O [\d.]+H [\d.]+L [\d.]+C [\d.]+/);
  const newest = (await legend.textContent()) ?? "";
  await expect(legend).not.toHaveText(newest, { timeout: 20_000 });

  await findChart(page).focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  const status = page.getByRole("status").filter({ hasText: "open" });
  await expect(status).toHaveText(/\d\d:\d\d: open [\d.]+, high [\d.]+, low [\d.]+, close [\d.]+/);
  const pointed = (await status.textContent()) ?? "";
  await page.keyboard.press("ArrowLeft");
  await expect(status).not.toHaveText(pointed);
  await page.keyboard.press("Escape");
  await expect(status).toHaveCount(0);

  await page.keyboard.press("5");
  await expect(page).toHaveURL(`/symbols/${SYMBOL}`);
  await expect(page.getByRole("button", { name: "H1", exact: true })).toHaveAttribute("aria-pressed", "true");
});

test("The times of a chart are those of the chosen zone", async ({ trader: page, spotline }) => {
  const status = page.getByRole("status").filter({ hasText: "open" });
  const readNewest = async (zone: string) => {
    await page.context().addCookies([{ name: "spotline-zone", value: zone, url: spotline.url }]);
    await openChart(page, "?timeframe=H4");
    await expect(page.getByText(`Times are in ${zone}`)).toBeVisible();
    await findChart(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(status).toHaveText(/^\w{3}, \d+ \w+ \d{4}, \d\d:\d\d: open/);
    const [, moment] = /^\w+, (.*): open/.exec((await status.textContent()) ?? "") ?? [];
    return Date.parse(`${moment} UTC`);
  };
  const [utc, tokyo] = [await readNewest("UTC"), await readNewest("Asia/Tokyo")];
  expect([9 * HOUR_MS, 13 * HOUR_MS]).toContain(tokyo - utc);
});

test("Older bars are loaded as the chart is moved back, and a reload shows the same range", async ({
  trader: page,
}) => {
  await openChart(page, "?timeframe=M1");
  const requests: Request[] = [];
  page.on("request", (request) => request.url().includes("before=") && requests.push(request));
  await findChart(page).focus();
  await expect(async () => {
    await page.keyboard.press("PageUp");
    expect(requests.length).toBeGreaterThan(0);
  }).toPass({ timeout: 20_000, intervals: [300] });
  const answer = await requests[0]?.response();
  expect(((await answer?.json()) as { bars: unknown[] }).bars.length).toBeGreaterThan(0);
  await expect(page).toHaveURL(/from=[\dT:-]+Z&to=[\dT:-]+Z$/);
  const before = page.url();
  await page.reload();
  await expect(findChart(page).locator("canvas").first()).toBeVisible();
  await findChart(page).focus();
  await page.keyboard.press("ArrowLeft");
  expect(page.url()).toBe(before);
  await page.getByRole("button", { name: "Show the newest bar" }).click();
  await expect(page).not.toHaveURL(/to=/);
});

test("Indicators, layers and a second symbol are in the address", async ({ trader: page }) => {
  await openChart(page);
  await page.getByRole("button", { name: "Indicators", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Indicators" });
  await dialog.getByRole("textbox", { name: "Search indicators" }).fill("rsi");
  await dialog.getByRole("checkbox", { name: /^RSI_14/ }).check();
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await expectAccessible(dialog, "indicators of a chart");
  }
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(findLegend(page)).toContainText(/RSI_14[\d.]+/);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("checkbox", { name: /^Spread/ }).check();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Compare with a symbol" }).fill("ethusd");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Stop comparing with ETHUSD" })).toBeVisible();
  await expect(page).toHaveURL(`/symbols/${SYMBOL}?indicators=RSI_14&layers=volume,events,spread&compare=ETHUSD`);
  await page.reload();
  await expect(findLegend(page)).toContainText(/RSI_14[\d.]+/);
  await page.getByRole("button", { name: "Remove RSI_14" }).click();
  await expect(page).not.toHaveURL(/RSI_14/);
});

test("A family of indicators is drawn with own parameters, changed and removed", async ({ trader: page }) => {
  await openChart(page);
  await page.getByRole("button", { name: "Indicators", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Indicators" });
  await dialog.getByRole("textbox", { name: "Search indicators" }).fill("bollinger");
  await dialog.getByRole("button", { name: /^BBands/ }).click();
  await dialog.getByLabel("Period").fill("12");
  await dialog.getByLabel("Deviations").fill("2.555");
  await expect(dialog.getByText("deviations has at most 2 decimals.")).toBeVisible();
  await dialog.getByLabel("Deviations").fill("2.5");
  await dialog.getByRole("checkbox", { name: "lower band", exact: true }).check();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Change BBands_12_2.5_lower" })).toBeVisible();
  await expectAccessible(dialog, "own parameters");
  await dialog.getByRole("button", { name: "Change BBands_12_2.5_upper" }).click();
  await dialog.getByLabel("Period").fill("13");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page).toHaveURL(/indicators=BBands_13_2\.5_upper,BBands_12_2\.5_lower/);
  await expect(findLegend(page)).toContainText(/BBands_13_2\.5_upper[\d.]+/);
  await page.reload();
  await expect(findLegend(page)).toContainText(/BBands_12_2\.5_lower[\d.]+/);
  await page.getByRole("button", { name: "Remove BBands_13_2.5_upper" }).click();
  await expect(page).not.toHaveURL(/BBands_13/);
});

test("The chart is saved as a picture and as a table", async ({ trader: page }) => {
  await openChart(page);
  for (const [label, file] of [
    ["Save as a picture", `${SYMBOL}-H1.png`],
    ["Save the shown bars as CSV", `${SYMBOL}-H1.csv`],
  ] as const) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: label }).click();
    expect((await download).suggestedFilename()).toBe(file);
  }
});

test("Any spelling of a symbol leads to its page, and an unknown one to suggestions", async ({ trader: page }) => {
  for (const path of [
    "/symbols/btc-usd?timeframe=M5",
    "/symbols/BTC/USD?timeframe=M5",
    "/symbols/btc%2Fusd?timeframe=M5",
  ]) {
    await page.goto(path);
    await expect(page).toHaveURL(`/symbols/${SYMBOL}?timeframe=M5`);
  }
  const answer = await page.goto("/symbols/EURUSE");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "There is no symbol “EURUSE”" })).toBeVisible();
  await page.getByRole("link", { name: "EURUSD", exact: true }).click();
  await expect(page).toHaveURL("/symbols/EURUSD");
});

test("A plan without the history of indicators has no line, and without the calendar no event", async ({
  context,
  spotline,
  signedIn,
}) => {
  // The first account is the operator's, which may see everything.
  expect(signedIn.cookies).not.toEqual([]);
  const page = await createAccount(context, spotline, "chart@example.com");
  await page.goto("/symbols/EURUSD?indicators=RSI_14");
  await expect(page.getByText("Lines of indicators are included in")).toBeVisible();
  await expect(page.getByText("Events are included in")).toBeVisible();
  const { values } = (await (await page.request.get("/symbols/EURUSD/bars?indicators=RSI_14")).json()) as {
    values: object;
  };
  expect(values).toEqual({});
  const marks = await page.request.get(`/symbols/EURUSD/marks?from=0&to=${Date.now()}&layers=events`);
  expect(((await marks.json()) as { events: unknown[] }).events).toEqual([]);
});

test("A chart says when the server does not respond, and recovers", async ({ trader: page }) => {
  await connectAlone(page);
  await openChart(page);
  await page.context().setOffline(true);
  await expect(page.getByText("The server is not responding. The chart may be out of date.")).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText("The server is not responding. The chart may be out of date.")).toBeHidden();
});

test("Renko bricks replace the bars, with a height of the menu that the address keeps", async ({ trader: page }) => {
  await page.goto("/symbols/BTCUSD?timeframe=M1&style=renko&layers=volume,quotes");
  const chart = page.getByRole("application", { name: "Chart of BTCUSD, M1" });
  await expect(chart.getByText(/^Renko of closes, bricks of [\d.]+ pips/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Trend line" })).toBeHidden();
  await expectAccessible(chart, "a chart of bricks");
  await page.getByRole("button", { name: "Chart style, Renko is chosen" }).click();
  await page.getByLabel("Brick, in pips").fill("abc");
  await expect(page.getByText("Write a number of pips, such as 12.5.")).toBeVisible();
  await page.getByLabel("Brick, in pips").fill("25");
  await expect(page).toHaveURL(/brick=25/);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(chart.getByText(/bricks of 25 pips/)).toBeVisible();
});
