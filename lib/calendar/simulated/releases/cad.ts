import type { WorldRelease } from "@/lib/calendar/simulated/world-release";
import {
  auction,
  day,
  figure,
  listReleases,
  MEETINGS,
  nth,
  rate,
  weekly,
  workday,
} from "@/lib/calendar/simulated/world-release";

export const CAD_RELEASES: readonly WorldRelease[] = [
  ...listReleases("CAD", "America/Toronto", [
    ["Employment Change", "high", "08:30", nth(1, 5), figure(12, 22, "K")],
    ["Unemployment Rate", "high", "08:30", nth(1, 5), figure(6.8, 0.15, "%")],
    ["CPI (MoM)", "high", "08:30", nth(3, 2), figure(0.2, 0.2, "%")],
    ["GDP (MoM)", "high", "08:30", day(30), figure(0.1, 0.15, "%")],
    ["Retail Sales (MoM)", "medium", "08:30", day(21), figure(0.2, 0.5, "%")],
    ["Ivey PMI", "medium", "10:00", workday(5), figure(52, 3, "")],
    [["BoC Interest Rate Decision", "Overnight Rate"], "high", "09:45", nth(2, 3, MEETINGS.boc), rate(2.25)],
    [["BoC Rate Statement", "BOC Rate Statement"], "high", "09:45", nth(2, 3, MEETINGS.boc), null],
    // Prices
    ["Core CPI (MoM)", "low", "08:30", nth(3, 2), figure(0.2, 0.2, "%")],
    [["Median CPI (YoY)", "Median CPI y/y"], "high", "08:30", nth(3, 2), figure(3, 0.1, "%")],
    [["Trimmed CPI (YoY)", "Trimmed CPI y/y"], "high", "08:30", nth(3, 2), figure(3, 0.1, "%")],
    ["IPPI (MoM)", "low", "08:30", day(19), figure(0.3, 0.7, "%")],
    ["RMPI (MoM)", "low", "08:30", day(19), figure(0.4, 1.8, "%")],
    ["NHPI (MoM)", "low", "08:30", day(22), figure(-0.1, 0.2, "%")],
    // Activity and trade
    ["Core Retail Sales (MoM)", "medium", "08:30", day(21), figure(0.2, 0.5, "%")],
    ["Manufacturing Sales (MoM)", "low", "08:30", day(15), figure(0.3, 1.2, "%")],
    ["Wholesale Sales (MoM)", "low", "08:30", day(16), figure(0.2, 0.9, "%")],
    ["Trade Balance", "low", "08:30", workday(4), figure(-4.2, 1.8, "B")],
    ["Building Permits (MoM)", "low", "08:30", day(12), figure(0.6, 5, "%")],
    ["Housing Starts", "low", "08:15", day(17), figure(258, 18, "K", 0)],
    ["Foreign Securities Purchases", "low", "08:30", day(18), figure(8.4, 9, "B", 2)],
    ["Current Account", "low", "08:30", day(28, MEETINGS.midQuarters), figure(-9.8, 4, "B")],
    ["Labor Productivity (QoQ)", "low", "08:30", day(4, MEETINGS.quarters), figure(0.2, 0.4, "%")],
    [["S&P Global Manufacturing PMI", "Manufacturing PMI"], "low", "09:30", workday(1), figure(48.4, 1.2, "")],
    [["CFIB Business Barometer", null], "low", "07:00", nth(4, 4), figure(52.4, 3, "")],
    ["Average Hourly Wages (YoY)", "low", "08:30", nth(1, 5), figure(3.6, 0.3, "%")],
    // The central bank and auctions
    ["BoC Press Conference", "high", "10:30", nth(2, 3, MEETINGS.boc), null],
    [["BoC Summary of Deliberations", "BOC Summary of Deliberations"], "low", "13:30", nth(4, 3, MEETINGS.boc), null],
    ["BoC Business Outlook Survey", "medium", "10:30", nth(3, 1, MEETINGS.quarterStarts), null],
    [["BoC Governor Speech", "BOC Governor Speaks"], "high", "12:45", nth(1, 4), null],
    [["BoC Deputy Governor Speech", null], "low", "13:15", nth(3, 4), null],
    [["10-Year Bond Auction", null], "low", "12:00", nth(3, 3), auction(3.3)],
    [[null, "Bank Holiday"], "low", "00:00", day(1, [1, 7]), null, "all_day"],
    [[null, "Bank Holiday"], "low", "00:00", nth(1, 1, [8, 9]), null, "all_day"],
    [[null, "Bank Holiday"], "low", "00:00", day(25, [12]), null, "all_day"],
    [[null, "Boxing Day Bank Holiday"], "low", "00:00", day(26, [12]), null, "all_day"],
  ]),
  ...listReleases("CAD", "America/New_York", [
    [["CFTC CAD Speculative Net Positions", null], "low", "15:30", weekly(5), figure(-88.3, 25, "K")],
  ]),
];
