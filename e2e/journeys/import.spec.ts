import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { expect, PASSWORD, test, TRADER } from "@/e2e/journeys/fixtures";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** As the clock of the broker shows it: two hours ahead of UTC in winter. */
const MONDAY = Date.UTC(2023, 0, 2);
const WEEKS = 3;
const MINUTES = 24 * 60;

let folder: string;

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spotline-drop-"));
  mkdirSync(join(folder, "vendor"));
  writeFileSync(join(folder, "vendor", "EURUSD_M1.csv"), formatBars());
  writeFileSync(join(folder, "vendor", "readme.md"), "Prices of a vendor");
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Three weeks of a MetaTrader export, whose times are the broker's, with one row that cannot be read. */
function formatBars(): string {
  const heading = "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>";
  const rows = Array.from({ length: WEEKS * 5 * MINUTES }, (_, at) => {
    const days = Math.floor(at / MINUTES);
    const iso = new Date(
      MONDAY + (days + 2 * Math.floor(days / 5)) * DAY_MS + (at % MINUTES) * MINUTE_MS,
    ).toISOString();
    const price = 1.08 + ((at * 7) % 900) / 1e5;
    const prices = [price, price + 2e-5, price - 2e-5, price + 1e-5].map((each) => each.toFixed(5));
    return [iso.slice(0, 10).replaceAll("-", "."), iso.slice(11, 19), ...prices, 10, 0, 8].join("\t");
  });
  return [heading, ...rows, "2023.01.20\tnoon\t1\t2"].join("\r\n");
}

test("An operator drops a folder, corrects the zone of its times, imports it, reads the report and undoes it", async ({
  trader: page,
  spotline,
}) => {
  test.setTimeout(180_000);
  await page.goto("/operator/import");
  await expect(page.getByText("Nothing was imported yet")).toBeVisible();
  await page.locator("input[type=file]").nth(1).setInputFiles(join(folder, "vendor"));
  await page.waitForURL(/\/operator\/import\/[0-9a-f-]{36}$/);

  // A MetaTrader export needs its zone, which its weekly openings tell.
  const main = page.getByRole("main");
  await expect(main.getByText("2 files are left out")).toBeVisible({ timeout: 60_000 });
  await expect(main.getByText(/EURUSD_M1\.csv: its times are those of the broker's server/)).toBeVisible();
  await expect(main.getByRole("button", { name: "Import", exact: true })).toHaveCount(0);

  // Each column has a menu above its first cells.
  const columns = main.getByRole("group", { name: "Columns" });
  await expect(columns.getByLabel("<CLOSE>")).toHaveValue("close");
  await expect(columns.getByLabel("<CLOSE>")).toHaveAccessibleDescription(/^1\.08001/);
  await columns.getByLabel("<VOL>").selectOption("Volume");
  await main.getByRole("button", { name: "Check again" }).click();
  await expect(columns.getByText("Two columns are “Volume”: choose one of them.")).toBeVisible();
  await columns.getByLabel("<TICKVOL>").selectOption("Not read");
  await main.getByRole("button", { name: "Check again" }).click();
  await expect(main.getByText("Columns: date,time,open,high,low,close,-,volume,-")).toBeVisible({ timeout: 60_000 });
  await columns.getByLabel("Recognise the columns from the files again").check();

  await main.getByLabel("Zone").fill("Nowhere/City");
  await main.getByRole("button", { name: "Check again" }).click();
  await expect(main.getByText("there is no time zone Nowhere/City")).toBeVisible();
  await main.getByLabel("Zone").fill("");
  await main.getByLabel("Timeframe").selectOption("M1");
  await main.getByLabel("Order of dates").selectOption({ label: "Month, day: 01/31/2024" });
  await main.getByLabel("Decimal sign").selectOption({ label: "Point: 1.0852" });
  await main.getByRole("button", { name: "Check again" }).click();
  await expect(main.getByText("Order of dates: month-day, Decimal sign: ., Timeframe: M1")).toBeVisible();
  await main.getByRole("button", { name: "Zone America/New_York+7" }).click();
  await expect(main.getByText(/^2 of 2 weekly openings and closes fit/)).toBeVisible({ timeout: 60_000 });
  await expect(main.getByRole("img", { name: /^Prices of EURUSD as they will be stored/ })).toBeVisible();
  await expect(main.getByText("2023.01.20 noon 1 2")).toBeVisible();
  await expectAccessible(main, "the plan of an import");
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoSidewaysScroll(page, `the plan of an import at ${width}`);
  }
  await page.setViewportSize({ width: 1_280, height: 800 });

  await main.getByLabel("Your password").fill(PASSWORD);
  await main.getByRole("button", { name: "Import", exact: true }).click();
  await expect(main.getByText("imported", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(main.getByText("New in the database")).toBeVisible();
  await expect(main.getByRole("link", { name: "Chart of EURUSD" })).toHaveAttribute("href", "/symbols/EURUSD");
  await expectAccessible(main, "the report of an import");

  await main.getByText("Undo this import").click();
  await main.getByRole("button", { name: "Undo the import" }).click();
  await expect(main.getByText("undone", { exact: true })).toBeVisible({ timeout: 60_000 });
  await page.getByRole("link", { name: "All imports" }).click();
  await expect(page.getByRole("row", { name: /EURUSD_M1\.csv and 1 more/ })).toContainText("undone");
  const listed = await spotline.cli<{ state: string; account: string }[]>("import", "list");
  expect(listed).toMatchObject([{ state: "undone", account: TRADER }]);
});
