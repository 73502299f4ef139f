import { expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
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

test("Any date and any time of it can be shown, and a link to them works", async ({ trader }) => {
  await trader.goto("/sessions");
  // The field has no effect until the page's script has started.
  await expect(async () => {
    for (const date of ["2026-03-17", "2026-03-18"]) await trader.getByLabel("Day", { exact: true }).fill(date);
    await expect(trader).toHaveURL(/\/sessions\?day=2026-03-18$/, { timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  await expect(trader.locator('[data-row="New York"]')).toContainText("12:00–21:00");
  await expect(trader.getByText(/^Clocks changed in New York on 8 March and will change in London/)).toBeVisible();
  await expect(trader.getByText("New York: 12:00–21:00 UTC since 8 March, 13:00–22:00 before.")).toBeVisible();

  const line = trader.getByRole("slider", { name: "Time of day" });
  await line.focus();
  await trader.keyboard.press("Home");
  for (let hour = 0; hour < 12; hour++) await trader.keyboard.press("PageUp");
  await trader.keyboard.press("ArrowRight");
  await expect(line).toHaveAttribute("aria-valuetext", "12:15");
  await expect(trader).toHaveURL(/day=2026-03-18&time=12:15$/);
  const headline = trader.locator("[data-headline]");
  await expect(headline).toHaveText("Wed 18 Mar, 12:15: London and New York are open. London closes in 4h 45m.");
  await trader.reload();
  await expect(headline).toContainText("Wed 18 Mar, 12:15: London and New York are open.");
  await expect(trader.getByRole("timer", { name: "Time in London" })).toHaveText("12:15");

  await line.focus();
  await trader.keyboard.press("Escape");
  await expect(trader).toHaveURL(/\/sessions\?day=2026-03-18$/);
  await trader.getByRole("button", { name: "Back to now" }).click();
  await expect(trader).toHaveURL(/\/sessions$/);
  await expect(line).toHaveAttribute("aria-valuetext", /^\d\d:\d\d, now$/);
});

test("The line is dragged to a time, also on a phone", async ({ trader }) => {
  await trader.goto("/sessions?day=2026-07-15&time=06:00");
  const line = trader.getByRole("slider", { name: "Time of day" });
  for (const width of [1440, 390]) {
    await trader.setViewportSize({ width, height: 844 });
    await expectNoSidewaysScroll(trader, "/sessions");
    const bars = await trader.locator('[data-row="Overlaps"] dd').boundingBox();
    if (bars === null) throw new Error("The chart is not shown");
    // Waits until the line no longer moves and receives the pointer.
    await line.hover();
    await trader.mouse.down();
    await trader.mouse.move(bars.x + bars.width * 0.5 + 2, bars.y, { steps: 5 });
    await trader.mouse.up();
    await expect(line).toHaveAttribute("aria-valuetext", /^12:[0-2][05]$/);
    await expect(trader).toHaveURL(/day=2026-07-15&time=12:[0-2][05]$/);
    await line.focus();
    for (const [key, time] of [
      ["End", "23:59"],
      ["Home", "00:00"],
    ] as const) {
      await trader.keyboard.press(key);
      await expect(line).toHaveAttribute("aria-valuetext", time);
      await expectNoSidewaysScroll(trader, `/sessions at ${time}`);
    }
  }
});

test("The usual spread and range by hour follow the symbol", async ({ trader }) => {
  await trader.goto("/sessions?symbol=BTCUSD");
  const spread = trader.getByRole("img", { name: /^BTCUSD, median spread in pips: / });
  await expect(spread).toHaveAttribute("aria-label", /\d\d:00 \d+\.\d/);
  await expect(trader.getByRole("img", { name: /^BTCUSD, median range in pips: / })).toBeVisible();
  await trader.getByRole("combobox", { name: "Symbol", exact: true }).fill("eurusd");
  await trader.keyboard.press("Enter");
  await expect(trader).toHaveURL(/\/sessions$/);
  await expect(trader.getByRole("img", { name: /^EURUSD, median spread in pips: / })).toBeVisible();
});
