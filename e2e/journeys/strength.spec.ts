import { expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { expect, test } from "@/e2e/journeys/fixtures";

test("The strength page shows all timeframes, one of them in full, and leads to the pairs", async ({ trader }) => {
  await trader.goto("/strength");
  const heat = trader.getByRole("table", { name: "Strength by currency and timeframe" });
  await expect(heat.getByRole("rowheader")).toHaveCount(8);
  await expect(heat.locator("tbody td")).toHaveCount(32);
  for (const timeframe of ["D1", "W1", "H4", "H1"]) {
    await heat.getByRole("button", { name: timeframe, exact: true }).click();
    await expect(trader).toHaveURL(new RegExp(`timeframe=${timeframe}$`));
    const ranking = trader.getByRole("table", { name: "Currencies, strongest first" }).locator("tbody tr");
    await expect(ranking).toHaveCount(8);
  }

  const matrix = trader.getByRole("table", { name: /^Moves of the pairs over twelve H1 bars/ });
  await expect(matrix.getByRole("link")).toHaveCount(56);
  await expect(matrix.getByRole("link", { name: /^EUR against USD: / })).toHaveAttribute("href", "/symbols/EURUSD");
  await expect(matrix.getByRole("link", { name: /^USD against EUR: / })).toHaveAttribute("href", "/symbols/EURUSD");

  await trader.getByRole("group", { name: "Pairs of" }).getByRole("button", { name: "JPY" }).click();
  await expect(trader).toHaveURL(/timeframe=H1&of=JPY$/);
  await trader.reload();
  const correlation = trader.getByRole("table", { name: /^Correlation of the pairs of JPY/ });
  await expect(correlation.getByRole("rowheader")).toHaveCount(7);
  await expect(correlation.getByRole("link", { name: /^EURJPY with GBPJPY: / })).toHaveText(/^−?[01]\.\d\d$|^–$/);

  const lines = trader.getByRole("group", { name: "Currencies in the chart" });
  await expect(trader.getByRole("img", { name: /^Strength of each currency at the last \d+ H1 bars/ })).toBeVisible();
  await lines.getByRole("button", { name: /^EUR/ }).click();
  await expect(lines.getByRole("button", { name: /^EUR/ })).toHaveAttribute("aria-pressed", "false");
  await expect(trader).toHaveURL(/timeframe=H1&of=JPY&hide=EUR$/);
  await trader.reload();
  await expect(lines.getByRole("button", { name: /^EUR/ })).toHaveAttribute("aria-pressed", "false");
  await expect(lines.getByRole("button", { name: /^USD/ })).toHaveAttribute("aria-pressed", "true");
  await trader.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(trader, "/strength");
});

test("The cells of a matrix are one stop of the Tab key, and the arrow keys move between them", async ({ trader }) => {
  await trader.goto("/strength?timeframe=H1");
  const heat = trader.getByRole("table", { name: "Strength by currency and timeframe" });
  const cells = heat.locator("[data-cell]");
  await cells.first().focus();
  await trader.keyboard.press("ArrowRight");
  await expect(heat.locator('[data-cell="0,1"]')).toBeFocused();
  await trader.keyboard.press("ArrowDown");
  await expect(heat.locator('[data-cell="1,1"]')).toBeFocused();
  await expect(heat.locator('[data-cell][tabindex="0"]')).toHaveCount(1);
  await trader.keyboard.press("Shift+Tab");
  await expect(heat.getByRole("button", { name: "W1", exact: true })).toBeFocused();
});
