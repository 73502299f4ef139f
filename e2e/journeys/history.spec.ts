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
  await expectAccessible(trader, "/indicators while a symbol is chosen");
  await select.fill("gold");
  await trader.getByRole("option", { name: /^XAUUSD/ }).click();
  await expect(trader).toHaveURL(/symbol=XAUUSD&timeframe=M5/);
  // A new server back-fills symbol by symbol, which takes longer on a busy machine.
  await expect(trend.getByRole("row", { name: /^SMA_10 / })).toContainText(/\d|of 10 bars/, { timeout: 45_000 });
  await expect(trader.getByRole("region", { name: "Summary" })).toBeVisible();
});
