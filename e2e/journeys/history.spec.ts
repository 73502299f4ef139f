import { readFile } from "node:fs/promises";
import { expectAccessible } from "@/e2e/journeys/accessible";
import { withAccount } from "@/e2e/journeys/accounts";
import { createAccount, expect, test } from "@/e2e/journeys/fixtures";

test("An account on a plan with ticks can see earlier hours and bars", async ({ context, spotline, signedIn }) => {
  // The first account is the operator's, which sees ticks on any plan, so this test needs a later one.
  expect(signedIn.cookies).not.toEqual([]);
  const email = "ticks@example.com";
  const page = await createAccount(context, spotline, email);
  await page.goto("/ticks?symbol=GBPUSD");
  await page.getByRole("button", { name: "Ticks", exact: true }).click();
  await expect(page.getByText("Ticks are not part of your plan")).toBeVisible();

  await withAccount(spotline, email, ({ accounts }, id) => accounts.setPlan(id, "pro"));
  await page.reload();
  const latest = page.getByRole("table", { name: /^Latest ticks of the hour/ }).locator("tbody tr");
  const newest = latest.first().getByRole("rowheader");
  const before = await newest.textContent();
  expect(before).toMatch(/^\d\d:\d\d:\d\d$/);
  await expect(newest).not.toHaveText(before ?? "");

  await page.getByRole("button", { name: "Previous hour" }).click();
  await expect(page).toHaveURL(/symbol=GBPUSD&view=ticks&from=\d{4}-/);
  await expect(page.getByRole("group", { name: "Hour" })).toContainText(/\d\d:00–\d\d:00/);
  await page.reload();
  await expect(page.getByRole("button", { name: "Latest" })).toBeEnabled();

  await page.getByRole("button", { name: "M1", exact: true }).click();
  await expect(page).toHaveURL(/symbol=GBPUSD&view=M1/);
  const bars = page.getByRole("table", { name: /^Latest bars/ }).locator("tbody tr");
  await expect(bars.first()).toBeVisible();
  const [open, high, low, close] = (await bars.first().getByRole("cell").allTextContents()).map(Number);
  expect(high).toBeGreaterThanOrEqual(Math.max(open ?? NaN, close ?? NaN));
  expect(low).toBeLessThanOrEqual(Math.min(open ?? NaN, close ?? NaN));
  const select = page.getByRole("combobox", { name: "Symbol", exact: true });
  await select.fill("dax");
  await expect(page.getByRole("option", { selected: true })).toContainText("GER40");
  await select.press("Escape");
  await expect(select).toHaveValue("GBPUSD");
  await select.fill("usd/jpy");
  await select.press("Enter");
  await expect(page).toHaveURL(/symbol=USDJPY&view=M1/);
  const region = page.getByRole("region", { name: "Latest bars of USDJPY" });
  await expect(region).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test("Every tick of an hour is shown with milliseconds where they are kept, and saved as a file", async ({
  trader,
}) => {
  await trader.goto("/ticks?symbol=EURUSD&view=ticks");
  await trader.getByRole("button", { name: "Every tick", exact: true }).click();
  await expect(trader).toHaveURL(/symbol=EURUSD&view=ticks&resolution=tick/);
  const newest = trader
    .getByRole("table", { name: /ticks of the hour, newest first/ })
    .locator("tbody tr")
    .first();
  await expect(newest.getByRole("rowheader")).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/, { timeout: 15_000 });
  await expect(newest).toContainText(/\d ms$/);
  await trader.getByRole("button", { name: /^API call/ }).click();
  await expect(trader.getByRole("dialog")).toContainText("resolution=tick");
  await trader.keyboard.press("Escape");
  const saving = trader.waitForEvent("download");
  await trader.getByRole("link", { name: "CSV" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^EURUSD-every-tick-\d{8}T\d{6}Z-\d{8}T\d{6}Z\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
  expect(lines[0]).toBe("time,bid,ask,flags,source,received");
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}\+00:00,[\d.]+,[\d.]+,0,[\w-]+,\d{4}-/);
  await expectAccessible(trader.getByRole("main"), "/ticks with every tick");

  await trader.goto("/ticks?symbol=GBPUSD&view=ticks&resolution=tick");
  await expect(trader.getByText("These are seconds. Not every tick of GBPUSD is kept")).toBeVisible();
});

test("Spreads are compared over a period in the address", async ({ trader }) => {
  await trader.goto("/spreads?symbols=EURUSD,GBPUSD");
  const table = trader.getByRole("table", { name: /^Spreads in pips/ });
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(table.getByRole("row").nth(1).getByRole("cell").first()).toHaveText(/^\d+\.\d$/);

  await trader.getByRole("combobox", { name: "Add a symbol" }).fill("usd/jpy");
  await trader.getByRole("button", { name: "Add", exact: true }).click();
  await expect(trader).toHaveURL(/USDJPY/);
  await expect(table.getByRole("row")).toHaveCount(4);
  await trader.getByRole("combobox", { name: "Add a symbol" }).fill("NOSUCH");
  await trader.getByRole("button", { name: "Add", exact: true }).click();
  await expect(trader.getByText("There is no symbol “NOSUCH”.")).toBeVisible();

  await trader.getByRole("link", { name: /^1 hour/ }).click();
  await expect(trader).toHaveURL(/period=1h/);
  await trader.getByRole("link", { name: /^USDJPY/ }).click();
  await expect(trader.getByRole("heading", { name: /^USDJPY US Dollar/ })).toBeVisible();
  await trader.getByRole("link", { name: "Remove GBPUSD" }).click();
  await expect(table.getByRole("row")).toHaveCount(3);
});

test("Indicators change with the symbol and the timeframe", async ({ trader }) => {
  await trader.goto("/indicators?symbol=EURUSD&timeframe=M1");
  const trend = trader.getByRole("table", { name: "Trend" });
  await expect(trend.getByRole("rowheader", { name: "SMA_10 Simple moving average of 10 closes" })).toBeVisible();
  await trader.getByRole("button", { name: "M5", exact: true }).click();
  await expect(trader).toHaveURL(/symbol=EURUSD&timeframe=M5/);
  const select = trader.getByRole("combobox", { name: "Symbol", exact: true });
  await select.click();
  await expect(trader.getByRole("group", { name: /^Crypto/ }).getByRole("option")).toHaveCount(3);
  await expectAccessible(trader.getByRole("listbox"), "the list of symbols");
  await select.fill("gold");
  await trader.getByRole("option", { name: /^XAUUSD/ }).click();
  await expect(trader).toHaveURL(/symbol=XAUUSD&timeframe=M5/);
  // A new server back-fills symbol by symbol, which takes longer on a busy machine.
  await expect(trend.getByRole("row", { name: /^SMA_10 / })).toContainText(/\d|of 10 bars/, { timeout: 45_000 });
  await expect(trader.getByRole("region", { name: "Summary" })).toBeVisible();
});
