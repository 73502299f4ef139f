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

export const CHF_RELEASES: readonly WorldRelease[] = [
  ...listReleases("CHF", "Europe/Zurich", [
    ["CPI (MoM)", "high", "08:30", day(3), figure(0.1, 0.2, "%")],
    [["Unemployment Rate s.a.", "Unemployment Rate"], "low", "07:45", workday(5), figure(2.9, 0.1, "%")],
    ["Retail Sales (YoY)", "low", "08:30", workday(1), figure(1.2, 0.9, "%")],
    [["KOF Leading Indicators", "KOF Economic Barometer"], "low", "09:00", day(28), figure(100.6, 1.5, "")],
    [["SNB Interest Rate Decision", "SNB Policy Rate"], "high", "09:30", nth(3, 4, MEETINGS.quarters), rate(0)],
    ["PPI (MoM)", "low", "08:30", day(14), figure(-0.1, 0.3, "%")],
    ["Trade Balance", "low", "08:00", day(20), figure(4.4, 1, "B")],
    ["Industrial Production (YoY)", "low", "08:30", day(18, MEETINGS.midQuarters), figure(2.4, 2.5, "%")],
    ["GDP (QoQ)", "medium", "09:00", day(28, MEETINGS.midQuarters), figure(0.3, 0.2, "%")],
    ["Manufacturing PMI", "low", "09:30", workday(1), figure(48.6, 1.5, "")],
    ["SECO Consumer Climate", "low", "09:00", workday(6), figure(-37, 3, "", 0)],
    ["UBS Economic Expectations", "low", "10:00", nth(4, 3), figure(8.6, 12, "")],
    [["Foreign Reserves", "Foreign Currency Reserves"], "low", "09:00", workday(5), figure(722, 8, "B", 0)],
    [["SNB Total Sight Deposits", null], "low", "10:00", weekly(1), figure(452.6, 4, "B")],
    ["SNB Monetary Policy Assessment", "high", "09:30", nth(3, 4, MEETINGS.quarters), null],
    ["SNB Press Conference", "high", "10:00", nth(3, 4, MEETINGS.quarters), null],
    ["SNB Quarterly Bulletin", "low", "15:00", nth(4, 3, MEETINGS.quarters), null],
    [["SNB Chairman Speech", "SNB Chairman Speaks"], "medium", "18:30", nth(2, 2), null],
    [["SNB Governing Board Member Speech", null], "low", "17:30", nth(4, 4), null],
    [[null, "Bank Holiday"], "low", "00:00", day(1, [1, 8]), null, "all_day"],
    [[null, "Bank Holiday"], "low", "00:00", day(25, [12]), null, "all_day"],
  ]),
  ...listReleases("CHF", "America/New_York", [
    [["CFTC CHF Speculative Net Positions", null], "low", "15:30", weekly(5), figure(-26.1, 5, "K")],
  ]),
];
