import { expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { expect, test } from "@/e2e/journeys/fixtures";

test("Symbols are screened by one indicator, and rows lead to their charts", async ({ trader }) => {
  await trader.goto("/indicators?symbol=EURUSD&timeframe=H1");
  const rsi = trader.getByRole("link", { name: "RSI_14 Relative strength index of 14 bars" });
  await expect(rsi).toHaveAttribute("href", "/symbols/EURUSD?timeframe=H1&indicators=RSI_14");
  await trader.getByRole("link", { name: "Screener" }).click();
  await trader.waitForURL("**/indicators/screener");
  const table = trader.getByRole("table", { name: "Symbols by RSI_14, highest first" });
  const values = async () => (await table.locator("tbody tr td:nth-of-type(1)").allTextContents()).map(Number);
  await expect(table.getByRole("rowheader").first()).toBeVisible();
  const all = await values();
  expect(all).toEqual([...all].sort((one, other) => other - one));

  const middle = all[Math.floor(all.length / 2)] ?? NaN;
  await trader.getByLabel("From").fill(String(middle));
  await trader.getByLabel("Order").selectOption("asc");
  await trader.getByRole("button", { name: "Screen", exact: true }).click();
  await expect(trader).toHaveURL(/indicator=RSI_14&timeframe=H1&min=[\d.]+&max=&category=&sort=asc$/);
  await expect(trader.getByRole("table", { name: "Symbols by RSI_14, lowest first" })).toBeVisible();
  const lowest = trader.locator("tbody tr td:nth-of-type(1)").first();
  await expect(lowest).toHaveText(middle.toFixed(4));

  await trader.getByLabel("Indicator", { exact: true }).fill("RSI_9");
  await trader.getByLabel("From").fill("");
  await trader.getByRole("button", { name: "Screen", exact: true }).click();
  await expect(trader.getByRole("table", { name: "Symbols by RSI_9, lowest first" })).toBeVisible();
  await trader.getByLabel("Indicator", { exact: true }).fill("rsi_9");
  await trader.getByRole("button", { name: "Screen", exact: true }).click();
  await expect(trader.getByText("Near names: RSI_9.")).toBeVisible();

  await trader.getByLabel("From").fill("101");
  await trader.getByRole("button", { name: "Screen", exact: true }).click();
  await expect(trader.getByRole("heading", { name: "No symbol matches" })).toBeVisible();
  await trader.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(trader, "/indicators/screener");
});
