import { expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { expect, test } from "@/e2e/journeys/fixtures";

test("Several symbols and sources are drawn in one chart, which the address describes", async ({ trader }) => {
  await trader.goto("/spreads?symbols=EURUSD,GBPUSD,BTCUSD");
  const chart = trader.getByRole("img", { name: /^Mean spread of / });
  await expect(chart).toHaveAccessibleName("Mean spread of EURUSD");
  await trader.getByRole("link", { name: "Show GBPUSD in the chart" }).click();
  await expect(trader).toHaveURL(/lines=EURUSD,GBPUSD$/);
  await expect(chart).toHaveAccessibleName("Mean spread of EURUSD, GBPUSD");
  const source = trader.getByRole("group", { name: "Sources of EURUSD" }).getByRole("link").first();
  const name = (await source.textContent())?.replace(/^Show (.*) in the chart$/, "$1") ?? "";
  await source.click();
  await expect(chart).toHaveAccessibleName(`Mean spread of EURUSD, GBPUSD, EURUSD at ${name}`);
  await trader.reload();
  await expect(chart).toHaveAccessibleName(`Mean spread of EURUSD, GBPUSD, EURUSD at ${name}`);
  await trader.getByRole("link", { name: /^Hide GBPUSD .* in the chart$/ }).click();
  await expect(chart).toHaveAccessibleName(`Mean spread of EURUSD, EURUSD at ${name}`);
  await trader.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(trader, "/spreads");
});

test("The table and the chart are downloaded as CSV", async ({ trader }) => {
  await trader.goto("/spreads?symbols=EURUSD,BTCUSD&lines=EURUSD,BTCUSD&period=7d");
  const hrefs = await Promise.all(
    ["CSV", "Download as CSV"].map((name) => trader.getByRole("link", { name, exact: true }).getAttribute("href")),
  );
  const [table = "", lines = ""] = await Promise.all(
    hrefs.map(async (href) => {
      const answer = await trader.request.get(href ?? "");
      expect(answer.headers()["content-type"]).toMatch(/^text\/csv/);
      return answer.text();
    }),
  );
  expect(table.split("\r\n")[0]).toBe("symbol,period,current,average,p5,median,p95,lowest,highest,state");
  expect(table).toMatch(/\r\nBTCUSD,7d,\d/);
  expect(lines.split("\r\n")[0]).toBe("symbol,source,time,average,p5,p95");
  expect(lines).toMatch(/\r\nBTCUSD,,\d{4}-\d\d-\d\dT\d\d:00:00\.000Z,\d+(\.\d+)?,\d/);
});

test("The week by weekday and hour follows the chosen zone", async ({ trader }) => {
  await trader.goto("/spreads?symbols=BTCUSD");
  const week = trader.getByRole("table", { name: "Median spread of BTCUSD in pips by weekday and hour" });
  await expect(week.getByRole("rowheader")).toHaveCount(7);
  await expect(week.getByText(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d\d:00: \d+\.\d pips$/).first()).toBeAttached();
  const zone = trader.getByRole("combobox", { name: /^Times in/ });
  await expect(zone).toHaveValue("America/New_York");
  await zone.selectOption("UTC");
  await expect(trader).toHaveURL(/zone=UTC$/);
  await trader.reload();
  await expect(zone).toHaveValue("UTC");
  await expect(week.getByRole("rowheader")).toHaveCount(7);
});
