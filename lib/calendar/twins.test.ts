import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CalendarEvent } from "@/lib/calendar/event";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import { WEEKS } from "@/lib/calendar/publisher-weeks.fixture";
import { scoreTwins } from "@/lib/calendar/twin-labels.fixture";
import { matchTwins } from "@/lib/calendar/twins";
import { findRealData } from "@/lib/feeds/real-data.fixture";

type Row = readonly [title: string, forecast?: string, previous?: string];

function findPairs(primaries: readonly Row[], secondaries: readonly Row[], currency = "USD"): string[] {
  const rows = (stream: CalendarEvent["stream"], list: readonly Row[]) =>
    list.map(([title, forecast = "", previous = ""]) =>
      createTestEvent({ stream, currency, title, forecast, previous }),
    );
  const twins = matchTwins([...rows("primary", primaries), ...rows("secondary", secondaries)]);
  return twins.map(({ primary, secondary }) => `${secondary.title} = ${primary.title}`).sort();
}

describe("twins", () => {
  test("are found under different titles, without similar releases of the same minute", () => {
    expect(
      findPairs(
        [
          ["Nonfarm Payrolls (Oct)", "115K", "120K"],
          ["Unemployment Rate (Oct)", "4.1%", "4.1%"],
          ["Average Hourly Earnings (MoM) (Oct)", "0.3%", "0.4%"],
          ["Average Hourly Earnings (YoY) (Oct)", "4.0%", "4.0%"],
          ["Participation Rate (Oct)", "", "62.7%"],
        ],
        [
          ["Non-Farm Employment Change", "115K", "120K"],
          ["Average Hourly Earnings m/m", "0.3%", "0.4%"],
          ["Unemployment Rate", "4.1%", "4.1%"],
        ],
      ),
    ).toEqual([
      "Average Hourly Earnings m/m = Average Hourly Earnings (MoM) (Oct)",
      "Non-Farm Employment Change = Nonfarm Payrolls (Oct)",
      "Unemployment Rate = Unemployment Rate (Oct)",
    ]);
  });

  test.each([
    ["Federal Funds Rate", "Fed Interest Rate Decision", "USD"],
    ["Official Bank Rate", "BoE Interest Rate Decision (Nov)", "GBP"],
    ["Main Refinancing Rate", "ECB Interest Rate Decision", "EUR"],
    ["Cash Rate", "RBA Interest Rate Decision (Nov)", "AUD"],
    ["Official Cash Rate", "RBNZ Interest Rate Decision", "NZD"],
    ["Overnight Rate", "BoC Interest Rate Decision", "CAD"],
    ["SNB Policy Rate", "SNB Interest Rate Decision (Q4)", "CHF"],
    ["BOJ Policy Rate", "BoJ Interest Rate Decision", "JPY"],
    ["Unemployment Claims", "Initial Jobless Claims", "USD"],
    ["Flash Manufacturing PMI", "S&P Global Manufacturing PMI (Nov)", "USD"],
    ["FOMC Member Bowman Speaks", "Fed Governor Bowman Speech", "USD"],
    ["German Prelim CPI m/m", "Germany CPI (MoM) (Nov)", "EUR"],
    ["ISM Services PMI", "ISM Services PMI (Oct)", "USD"],
    ["Core PCE Price Index m/m", "Core PCE Price Index (MoM) (Oct)", "USD"],
    ["JOLTS Job Openings", "JOLTs Job Openings (Oct)", "USD"],
  ])("match %s with %s", (secondary, primary, currency) => {
    expect(findPairs([[primary, "1.0%", "2.0%"]], [[secondary, "1.0%", "2.0%"]], currency)).toHaveLength(1);
  });

  test.each([
    ["CPI m/m", "CPI (YoY) (Oct)"],
    ["CPI m/m", "Core CPI (MoM) (Oct)"],
    ["German Final CPI m/m", "German HICP (MoM) (Oct)"],
    ["Flash Services PMI", "Final Services PMI"],
    ["Services PMI", "Manufacturing PMI (Oct)"],
    ["German Services PMI", "French Services PMI"],
    ["Claimant Count Change", "Claimant Count Rate (Oct)"],
    ["Unemployment Claims", "Continuing Jobless Claims"],
    ["FOMC Member Cook Speaks", "FOMC Member Daly Speaks"],
    ["10-y Bond Auction", "30-Year Bond Auction"],
    ["French CPI m/m", "French CPI NSA (MoM) (Oct)"],
    ["Core Retail Sales m/m", "Retail Sales (MoM) (Oct)"],
    ["ADP Non-Farm Employment Change", "Nonfarm Payrolls"],
  ])("do not match %s with %s, even with the same figures", (secondary, primary) => {
    expect(findPairs([[primary, "0.3%", "0.2%"]], [[secondary, "0.3%", "0.2%"]])).toEqual([]);
  });

  test.each([
    ["ISM Services PMI", "ISM Non-Manufacturing PMI (Oct)"],
    ["Philly Fed Manufacturing Index", "Philadelphia Fed Manufacturing Index (Nov)"],
    ["French Gov Budget Balance", "French Government Budget Balance (Oct)"],
    ["CBI Industrial Order Expectations", "CBI Industrial Trends Orders (Nov)"],
    ["Empire State Manufacturing Index", "NY Empire State Manufacturing Index (Nov)"],
    ["Unit Labour Costs q/q", "Unit Labor Costs (QoQ) (Q3)"],
    ["NHPI m/m", "New Housing Price Index (MoM) (Oct)"],
    ["CBI Realised Sales", "CBI Realized Sales (Nov)"],
    ["Quarterly Tankan Capex Outlook", "Tankan Capex Outlook (Q3)"],
  ])("match the synonyms %s and %s where the figures agree", (secondary, primary) => {
    expect(findPairs([[primary, "-30", "-38"]], [[secondary, "-30", "-38"]], "GBP")).toHaveLength(1);
  });

  const THIRD_PUBLISHER = [
    ["CPI y/y", "Inflation Rate YoY"],
    ["CPI m/m", "Inflation Rate MoM"],
    ["Core CPI m/m", "Core Inflation Rate MoM"],
    ["Prelim CPI y/y", "Inflation Rate YoY Prel"],
    ["Flash GDP q/q", "GDP Growth Rate QoQ Flash"],
    ["Prelim GDP q/q", "GDP Growth Rate QoQ 2nd Est"],
    ["Advance GDP q/q", "GDP Growth Rate QoQ Adv"],
    ["Final GDP q/q", "GDP Growth Rate QoQ Final"],
    ["Core Retail Sales m/m", "Retail Sales Ex Autos MoM"],
    ["Core Durable Goods Orders m/m", "Durable Goods Orders Ex Transp MoM"],
    ["Core Durable Goods Orders", "Durable Goods Orders Ex Transp MoM"],
    ["GfK Consumer Climate", "GfK Consumer Confidence"],
    ["GDT Price Index", "Global Dairy Trade Price Index"],
    ["Prelim Nonfarm Productivity q/q", "Non-Farm Productivity QoQ Prel"],
    ["Building Consents m/m", "Building Permits MoM"],
    ["Unemployment Rate", "Jobless Rate"],
  ] as const;

  test.each(THIRD_PUBLISHER)("match %s with the third publisher's %s where the figures agree", (secondary, primary) => {
    expect(findPairs([[primary, "0.3%", "0.2%"]], [[secondary, "0.3%", "0.2%"]])).toHaveLength(1);
  });

  test.each(THIRD_PUBLISHER.filter(([name]) => !/GDT|Nonfarm/.test(name)))(
    "do not match %s with the third publisher's %s where a figure differs",
    (secondary, primary) => {
      expect(findPairs([[primary, "0.3%", "0.2%"]], [[secondary, "0.3%", "0.7%"]])).toEqual([]);
      expect(findPairs([[primary]], [[secondary]])).toEqual([]);
    },
  );

  test.each([
    ["CPI y/y", "Core Inflation Rate YoY"],
    ["CPI y/y", "Harmonised Inflation Rate YoY"],
    ["CPI y/y", "Inflation Rate MoM"],
    ["Core Retail Sales m/m", "Retail Sales Ex Gas/Autos MoM"],
    ["Core Retail Sales m/m", "Retail Sales Ex Autos and Gas MoM"],
    ["Core Durable Goods Orders m/m", "Durable Goods Orders Ex Defense MoM"],
    ["Flash GDP q/q", "GDP Growth Rate QoQ 2nd Est"],
    ["Prelim GDP q/q", "GDP Growth Rate QoQ Final"],
    ["GDP Price Index q/q", "GDP Growth Rate QoQ"],
    ["GfK Consumer Climate", "Business Confidence"],
    ["Unemployment Claims", "Jobless Rate"],
  ])("do not match %s with the third publisher's %s, even with the same figures", (secondary, primary) => {
    expect(findPairs([[primary, "0.3%", "0.2%"]], [[secondary, "0.3%", "0.2%"]])).toEqual([]);
  });

  test("have no contradicting figure where another pair has none, whatever their names", () => {
    const secondaries: Row[] = [["Trade Balance", "-0.44T", "-0.31T"]];
    const adjusted: Row = ["Adjusted Trade Balance", "-0.44T", "-0.31T"];
    const found = ["Trade Balance = Adjusted Trade Balance"];
    expect(findPairs([["Trade Balance", "-680.0B", "-0.31T"], adjusted], secondaries, "JPY")).toEqual(found);
    expect(findPairs([adjusted, ["Trade Balance", "-0.44T", "-294.0B"]], secondaries, "JPY")).toEqual(found);
    expect(
      findPairs(
        [
          ["CPI y/y", "2.9%", "2.7%"],
          ["Inflation Rate YoY", "3.1%", "2.7%"],
        ],
        [["CPI y/y", "3.1%", "2.7%"]],
      ),
    ).toEqual(["CPI y/y = Inflation Rate YoY"]);
    // Without another candidate, rows of one name are the same release.
    expect(findPairs([["Trade Balance", "-680.0B", "-0.31T"]], secondaries, "JPY")).toHaveLength(1);
  });

  test("have the same figures before they have the same name", () => {
    const secondaries: Row[] = [["Trade Balance", "-0.44T", "-0.31T"]];
    expect(
      findPairs(
        [
          ["Trade Balance (Oct)", "-680.0B", "-294.0B"],
          ["Adjusted Trade Balance", "-0.44T", "-0.31T"],
        ],
        secondaries,
        "JPY",
      ),
    ).toEqual(["Trade Balance = Adjusted Trade Balance"]);
    expect(
      findPairs(
        [
          ["Adjusted Trade Balance", "-0.44T", "-0.31T"],
          ["Trade Balance (Oct)", "-680.0B", "-294.0B"],
        ],
        [...secondaries, ["Goods Trade Balance", "-680.0B", "-294.0B"]],
        "JPY",
      ),
    ).toEqual(["Goods Trade Balance = Trade Balance (Oct)", "Trade Balance = Adjusted Trade Balance"]);
    // Forecasts of two publishers differ, and an only namesake is the same release.
    expect(findPairs([["Trade Balance (Apr)", "18.2B", "37.3B"]], [["Trade Balance", "20.2B", "27.9B"]])).toHaveLength(
      1,
    );
  });

  test("have most words in common where only their figures agree, and no word of another series", () => {
    const find = (a: string, b: string, figures: [string, string] = ["47.1", "46.8"]) =>
      findPairs([[a, ...figures]], [[b, ...figures]]).length;
    expect(find("Business Sentiment Large Company Conditions", "Business Sentiment Large Company Mood")).toBe(1);
    expect(find("Consumer Sentiment", "Business Sentiment")).toBe(0);
    expect(find("Core Retail Sales Excluding Autos", "Core Retail Sales Excluding Fuel", ["", "46.8"])).toBe(0);
    expect(find("Large Retail Orders Value", "Large Wholesale Orders Value")).toBe(0);
  });

  test("have the same currency, and one row in each stream", () => {
    const [a, b] = [
      createTestEvent({ title: "CPI y/y" }),
      createTestEvent({ title: "CPI y/y", currency: "EUR", stream: "secondary" }),
    ];
    expect(matchTwins([a, b])).toEqual([]);
    expect(matchTwins([a, { ...a, id: "other" }])).toEqual([]);
  });

  test("contain no row twice, and do not depend on the order of the rows", () => {
    const title = fc.constantFrom(
      "CPI m/m",
      "CPI (MoM) (Oct)",
      "CPI (YoY)",
      "Goods Trade Balance",
      "Trade Balance (Sep)",
    );
    const row = fc.record({
      title,
      stream: fc.constantFrom("primary", "secondary"),
      forecast: fc.constantFrom("", "1%"),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 9 }), fc.infiniteStream(fc.nat()), (rows, seeds) => {
        const events = rows.map((each) => createTestEvent(each as Partial<CalendarEvent>));
        const twins = matchTwins(events);
        const used = twins.flatMap(({ primary, secondary }) => [primary, secondary]);
        expect(new Set(used).size).toBe(used.length);
        const shuffled = events.map((event) => [seeds.next().value ?? 0, event] as const);
        const again = matchTwins(shuffled.sort(([a], [b]) => a - b).map(([, event]) => event));
        const ids = (list: typeof twins) => list.map(({ primary, secondary }) => primary.id + secondary.id).sort();
        expect(ids(again)).toEqual(ids(twins));
      }),
    );
  });

  const realData = findRealData();
  test.skipIf(realData === undefined).each(WEEKS)("equal the labels of the real week %s", (week) => {
    const { precision, recall } = scoreTwins(realData ?? "", week);
    expect(precision).toBeGreaterThanOrEqual(0.99);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });
});
