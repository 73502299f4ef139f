import type { WorldRelease } from "@/lib/calendar/simulated/world-release";
import {
  day,
  figure,
  listReleases,
  MEETINGS,
  nth,
  rate,
  weekly,
  workday,
} from "@/lib/calendar/simulated/world-release";

export const AUD_RELEASES: readonly WorldRelease[] = [
  ...listReleases("AUD", "Australia/Sydney", [
    ["Employment Change", "high", "11:30", nth(3, 4), figure(22, 18, "K")],
    ["Unemployment Rate", "high", "11:30", nth(3, 4), figure(4.3, 0.1, "%")],
    ["CPI (YoY)", "high", "11:30", nth(4, 3), figure(3, 0.2, "%")],
    ["Retail Sales (MoM)", "medium", "11:30", workday(2), figure(0.3, 0.3, "%")],
    ["NAB Business Confidence", "medium", "11:30", nth(2, 2), figure(3, 4, "", 0)],
    ["GDP (QoQ)", "high", "11:30", nth(1, 3, MEETINGS.quarters), figure(0.4, 0.2, "%")],
    [["RBA Interest Rate Decision", "Cash Rate"], "high", "14:30", nth(1, 2, MEETINGS.rba), rate(3.6)],
    ["RBA Rate Statement", "high", "14:30", nth(1, 2, MEETINGS.rba), null],
    // Prices
    ["Trimmed Mean CPI (QoQ)", "high", "11:30", nth(4, 3, MEETINGS.quarterStarts), figure(0.8, 0.1, "%")],
    ["Wage Price Index (QoQ)", "medium", "11:30", nth(2, 3, MEETINGS.midQuarters), figure(0.8, 0.1, "%")],
    ["PPI (QoQ)", "low", "11:30", day(30, MEETINGS.quarterStarts), figure(0.8, 0.2, "%")],
    ["MI Inflation Gauge (MoM)", "low", "11:00", nth(1, 1), figure(0.2, 0.2, "%")],
    ["MI Inflation Expectations", "low", "11:00", nth(2, 4), figure(4.7, 0.4, "%")],
    // Activity and trade
    ["Goods Trade Balance", "low", "11:30", workday(4), figure(4.1, 1.4, "B", 2)],
    ["Building Approvals (MoM)", "low", "11:30", workday(3), figure(0.6, 5, "%")],
    ["Private Sector Credit (MoM)", "low", "11:30", nth(4, 5), figure(0.6, 0.1, "%")],
    ["Current Account", "low", "11:30", nth(1, 2, MEETINGS.quarters), figure(-15.2, 3, "B")],
    ["Private Capital Expenditure (QoQ)", "low", "11:30", nth(4, 4, MEETINGS.midQuarters), figure(0.4, 1.2, "%")],
    ["Construction Work Done (QoQ)", "low", "11:30", nth(4, 3, MEETINGS.midQuarters), figure(0.8, 1.2, "%")],
    ["Commodity Prices (YoY)", "low", "16:30", workday(1), figure(-3.8, 3, "%")],
    ["Household Spending (MoM)", "low", "11:30", workday(5), figure(0.4, 0.4, "%")],
    // Surveys
    [["S&P Global Manufacturing PMI", "Flash Manufacturing PMI"], "low", "09:00", day(21), figure(50.6, 1.2, "")],
    [["S&P Global Services PMI", "Flash Services PMI"], "low", "09:00", day(21), figure(52.4, 1.2, "")],
    [["S&P Global Final Manufacturing PMI", null], "low", "09:00", workday(1), figure(50.5, 1.2, "")],
    ["Westpac Consumer Sentiment", "low", "10:30", nth(2, 2), figure(0.6, 3, "%")],
    [["ANZ-Roy Morgan Consumer Confidence", null], "low", "09:30", weekly(2), figure(85.4, 2, "")],
    ["ANZ Job Advertisements (MoM)", "low", "11:30", nth(1, 1), figure(-0.3, 1.2, "%")],
    ["MI Leading Index (MoM)", "low", "10:30", nth(3, 3), figure(0, 0.1, "%", 2)],
    ["CB Leading Index (MoM)", "low", "01:30", nth(3, 5), figure(0.1, 0.2, "%")],
    // The central bank
    ["RBA Press Conference", "high", "15:30", nth(1, 2, MEETINGS.rba), null],
    [
      ["RBA Monetary Policy Meeting Minutes", "Monetary Policy Meeting Minutes"],
      "medium",
      "11:30",
      nth(3, 2, MEETINGS.rba),
      null,
    ],
    [["RBA Governor Speech", "RBA Governor Speaks"], "high", "12:10", nth(2, 4), null],
    [["RBA Assistant Governor Speech", null], "low", "10:05", nth(4, 2), null],
    ["RBA Financial Stability Review", "low", "11:30", nth(2, 5, [4, 10]), null],
    [[null, "Bank Holiday"], "low", "00:00", day(1, [1]), null, "all_day"],
    [[null, "Bank Holiday"], "low", "00:00", day(26, [1]), null, "all_day"],
    [[null, "Bank Holiday"], "low", "00:00", day(25, [12]), null, "all_day"],
    [[null, "Boxing Day Bank Holiday"], "low", "00:00", day(26, [12]), null, "all_day"],
  ]),
  ...listReleases("AUD", "America/New_York", [
    [["CFTC AUD Speculative Net Positions", null], "low", "15:30", weekly(5), figure(-62.7, 18, "K")],
  ]),
];
