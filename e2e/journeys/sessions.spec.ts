import { expect, test } from "@/e2e/journeys/fixtures";

test("The sessions page shows four clocks, other days and other zones", async ({ trader }) => {
  await trader.goto("/sessions");
  for (const city of ["Sydney", "Tokyo", "London", "New York"]) {
    await expect(trader.getByRole("timer", { name: `Time in ${city}` })).toHaveText(/^\d\d:\d\d$/);
  }
  await expect(trader.locator("[data-headline]")).toHaveText(/(opens|closes) in (<1m|\d+[mhd].*)\.$/);

  const tokyo = trader.locator('[data-row="Tokyo"]');
  const open = tokyo.locator('[data-closed="false"]');
  /** The next trading day is at most a weekend and a holiday away. */
  const showTradingDay = async () => {
    for (let day = 0; day < 5 && (await open.count()) === 0; day++) {
      await trader.getByRole("button", { name: "Next day" }).click();
    }
  };
  await showTradingDay();
  await expect(open).toContainText("00:00–09:00");

  await trader.getByLabel("Times in").selectOption("Asia/Tokyo");
  await expect(trader).toHaveURL(/\?zone=Asia\/Tokyo/);
  // It may be another day in Tokyo.
  await showTradingDay();
  await expect(tokyo).toContainText("09:00–18:00");
  await trader.getByRole("button", { name: "Next day" }).click();
  const day = trader.getByRole("heading", { level: 2, name: /^\w{3} \d+ \w{3}$/ });
  const shown = (await day.textContent()) ?? "";
  await expect(trader).toHaveURL(/zone=Asia\/Tokyo&day=\d{4}-\d\d-\d\d$/);
  await trader.reload();
  await expect(trader.getByLabel("Times in")).toHaveValue("Asia/Tokyo");
  await expect(day).toHaveText(shown);
});
