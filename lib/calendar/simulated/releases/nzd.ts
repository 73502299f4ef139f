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

export const NZD_RELEASES: readonly WorldRelease[] = [
  ...listReleases("NZD", "Pacific/Auckland", [
    ["CPI (QoQ)", "high", "10:45", day(17, MEETINGS.quarterStarts), figure(0.6, 0.2, "%")],
    ["Employment Change (QoQ)", "high", "10:45", nth(1, 3, MEETINGS.midQuarters), figure(0.1, 0.3, "%")],
    ["Unemployment Rate", "high", "10:45", nth(1, 3, MEETINGS.midQuarters), figure(5.1, 0.1, "%")],
    ["GDP (QoQ)", "high", "10:45", nth(3, 4, MEETINGS.quarters), figure(0.3, 0.4, "%")],
    [["Business NZ PMI", "BusinessNZ Manufacturing Index"], "low", "10:30", nth(2, 5), figure(50.2, 1.4, "")],
    ["Trade Balance", "low", "10:45", day(21), figure(-620, 350, "M", 0)],
    [["RBNZ Interest Rate Decision", "Official Cash Rate"], "high", "14:00", nth(4, 3, MEETINGS.rbnz), rate(2.5)],
    // Prices
    ["FPI (MoM)", "low", "10:45", day(16), figure(0.3, 0.4, "%")],
    ["PPI Input (QoQ)", "low", "10:45", day(19, MEETINGS.midQuarters), figure(0.6, 0.5, "%")],
    ["PPI Output (QoQ)", "low", "10:45", day(19, MEETINGS.midQuarters), figure(0.6, 0.4, "%")],
    ["Labor Cost Index (QoQ)", "low", "10:45", nth(1, 3, MEETINGS.midQuarters), figure(0.5, 0.1, "%")],
    ["Inflation Expectations (QoQ)", "high", "15:00", nth(2, 1, MEETINGS.midQuarters), figure(2.2, 0.1, "%", 2)],
    ["GDT Price Index", "low", "22:30", nth(1, 2), figure(0.4, 2.2, "%")],
    [["GDT Price Index, Second Auction", null], "low", "22:30", nth(3, 2), figure(0.2, 2.2, "%")],
    ["ANZ Commodity Prices (MoM)", "low", "13:00", workday(3), figure(0.3, 1.6, "%")],
    // Activity and trade
    ["Retail Sales (QoQ)", "medium", "10:45", day(23, MEETINGS.midQuarters), figure(0.4, 0.6, "%")],
    ["Core Retail Sales (QoQ)", "low", "10:45", day(23, MEETINGS.midQuarters), figure(0.4, 0.6, "%")],
    [["Electronic Card Retail Sales (MoM)", null], "low", "10:45", day(13), figure(0.2, 0.6, "%")],
    ["Credit Card Spending (YoY)", "low", "15:00", day(20), figure(1.2, 1.5, "%")],
    ["Building Consents (MoM)", "low", "10:45", nth(4, 5), figure(0.8, 5, "%")],
    ["Visitor Arrivals (MoM)", "low", "10:45", day(12), figure(0.6, 3, "%")],
    ["Current Account", "low", "10:45", nth(3, 3, MEETINGS.quarters), figure(-4.6, 2, "B", 2)],
    ["Manufacturing Sales (QoQ)", "low", "10:45", day(9, MEETINGS.quarters), figure(0.4, 2, "%")],
    // Surveys
    ["ANZ Business Confidence", "low", "13:00", nth(4, 4), figure(48.6, 8, "")],
    [["ANZ-Roy Morgan Consumer Confidence", null], "low", "10:00", nth(4, 5), figure(95.2, 3, "")],
    ["BusinessNZ Services Index", "low", "10:30", nth(3, 1), figure(48.2, 1.4, "")],
    ["Westpac Consumer Sentiment", "low", "10:00", nth(3, 2, MEETINGS.quarters), figure(91.8, 3, "")],
    ["NZIER Business Confidence", "low", "10:00", nth(2, 2, MEETINGS.quarterStarts), figure(18, 9, "", 0)],
    // The central bank
    ["RBNZ Rate Statement", "high", "14:00", nth(4, 3, MEETINGS.rbnz), null],
    ["RBNZ Press Conference", "medium", "15:00", nth(4, 3, MEETINGS.rbnz), null],
    [["RBNZ Governor Speech", "RBNZ Governor Speaks"], "medium", "08:10", nth(1, 5), null],
    [["RBNZ Chief Economist Speech", null], "low", "11:20", nth(3, 4), null],
    ["RBNZ Financial Stability Report", "low", "09:00", nth(1, 3, [5, 11]), null],
    [[null, "Bank Holiday"], "low", "00:00", day(1, [1]), null, "all_day"],
    [[null, "Bank Holiday"], "low", "00:00", day(6, [2]), null, "all_day"],
    [[null, "Bank Holiday"], "low", "00:00", day(25, [12]), null, "all_day"],
    [[null, "Boxing Day Bank Holiday"], "low", "00:00", day(26, [12]), null, "all_day"],
  ]),
  ...listReleases("NZD", "America/New_York", [
    [["CFTC NZD Speculative Net Positions", null], "low", "15:30", weekly(5), figure(-22.4, 8, "K")],
  ]),
];
