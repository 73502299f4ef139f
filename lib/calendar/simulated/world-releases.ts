import type { Certainty, Impact } from "@/lib/calendar/event";
import type { DayOfMonth, ReleaseRule } from "@/lib/calendar/simulated/release-rule";

/**
 * The world's recurring releases for eight currencies: where and when they really come out, and numbers of the right
 * size. Only the rules are the world's; every figure is made up.
 */
export interface WorldRelease {
  readonly currency: string;
  /** The title in the primary stream, without its period; null where only the secondary stream tells of it. */
  readonly primary: string | null;
  /** The title in the secondary stream; null where only the primary stream tells of it. */
  readonly secondary: string | null;
  readonly impact: Impact;
  readonly zone: string;
  /** Local time of day, "08:30". */
  readonly at: string;
  readonly rule: ReleaseRule;
  readonly certainty: Certainty;
  /** Null for statements and speeches, which have none. */
  readonly figure: FigureModel | null;
}

/** A figure that wanders around `middle`; a rate of a central bank moves by quarters. */
export interface FigureModel {
  readonly middle: number;
  readonly swing: number;
  readonly decimals: number;
  readonly unit: string;
  readonly isRate: boolean;
}

const NEW_YORK = "America/New_York";
const TORONTO = "America/Toronto";
const LONDON = "Europe/London";
const BERLIN = "Europe/Berlin";
const ZURICH = "Europe/Zurich";
const TOKYO = "Asia/Tokyo";
const SYDNEY = "Australia/Sydney";
const AUCKLAND = "Pacific/Auckland";

const monthly = (on: DayOfMonth, months?: readonly number[]): ReleaseRule => ({
  every: "month",
  on,
  ...(months === undefined ? {} : { months }),
});
const day = (date: number, months?: readonly number[]) => monthly({ day: date }, months);
const nth = (count: number, weekday: number, months?: readonly number[]) => monthly({ nth: count, weekday }, months);
const workday = (count: number) => monthly({ workday: count });
const weekly = (weekday: number): ReleaseRule => ({ every: "week", weekday });

const figure = (middle: number, swing: number, unit: string, decimals = 1): FigureModel => ({
  ...{ middle, swing, decimals, unit, isRate: false },
});
const rate = (middle: number): FigureModel => ({ middle, swing: 0.25, decimals: 2, unit: "%", isRate: true });

const MEETINGS = {
  fed: [1, 3, 4, 6, 7, 9, 10, 12],
  ecb: [1, 3, 4, 6, 7, 9, 10, 12],
  boe: [2, 3, 5, 6, 8, 9, 11, 12],
  boc: [1, 3, 4, 6, 7, 9, 10, 12],
  boj: [1, 3, 4, 6, 7, 9, 10, 12],
  rba: [2, 3, 5, 6, 8, 9, 11, 12],
  rbnz: [2, 4, 5, 7, 8, 10, 11],
  quarters: [3, 6, 9, 12],
  midQuarters: [2, 5, 8, 11],
  quarterStarts: [1, 4, 7, 10],
};

/** What both streams call a release, or the primary and the secondary each; null for the one that does not tell of it. */
type Titles = string | readonly [primary: string | null, secondary: string | null];

type Line = readonly [
  titles: Titles,
  impact: Impact,
  at: string,
  rule: ReleaseRule,
  figure: FigureModel | null,
  certainty?: Certainty,
];

function of(currency: string, zone: string, lines: readonly Line[]): WorldRelease[] {
  return lines.map(([titles, impact, at, rule, model, certainty = "exact"]) => {
    const [primary, secondary] = typeof titles === "string" ? [titles, inSecondary(titles)] : titles;
    return { currency, zone, primary, secondary, impact, at, rule, certainty, figure: model };
  });
}

/** The streams write the base of a comparison each in its own way: "CPI (MoM)" is "CPI m/m". */
function inSecondary(title: string): string {
  return title.replace(/ \(([MQY])o([MQY])\)$/, (_, of: string, base: string) => ` ${of}/${base}`.toLowerCase());
}

export const worldReleases: readonly WorldRelease[] = [
  ...of("USD", NEW_YORK, [
    [["Nonfarm Payrolls", "Non-Farm Employment Change"], "high", "08:30", nth(1, 5), figure(120, 60, "K", 0)],
    ["Unemployment Rate", "high", "08:30", nth(1, 5), figure(4.2, 0.15, "%")],
    ["Average Hourly Earnings (MoM)", "high", "08:30", nth(1, 5), figure(0.3, 0.1, "%")],
    [["Participation Rate", null], "low", "08:30", nth(1, 5), figure(62.5, 0.1, "%")],
    [
      ["ADP Nonfarm Employment Change", "ADP Non-Farm Employment Change"],
      "medium",
      "08:15",
      nth(1, 3),
      figure(110, 40, "K", 0),
    ],
    [["Initial Jobless Claims", "Unemployment Claims"], "medium", "08:30", weekly(4), figure(225, 12, "K", 0)],
    [["Continuing Jobless Claims", null], "low", "08:30", weekly(4), figure(1940, 25, "K", 0)],
    ["CPI (MoM)", "high", "08:30", day(12), figure(0.2, 0.1, "%")],
    ["CPI (YoY)", "high", "08:30", day(12), figure(2.8, 0.2, "%")],
    ["Core CPI (MoM)", "high", "08:30", day(12), figure(0.3, 0.1, "%")],
    ["PPI (MoM)", "medium", "08:30", day(14), figure(0.2, 0.2, "%")],
    ["Retail Sales (MoM)", "high", "08:30", day(16), figure(0.3, 0.4, "%")],
    ["Core Retail Sales (MoM)", "high", "08:30", day(16), figure(0.3, 0.3, "%")],
    ["ISM Manufacturing PMI", "high", "10:00", workday(1), figure(49.2, 1, "")],
    ["ISM Services PMI", "high", "10:00", workday(3), figure(52.1, 1, "")],
    [["JOLTs Job Openings", "JOLTS Job Openings"], "medium", "10:00", day(3), figure(7.4, 0.2, "M", 2)],
    [["Michigan Consumer Sentiment", "Prelim UoM Consumer Sentiment"], "medium", "10:00", nth(2, 5), figure(62, 3, "")],
    [["GDP (QoQ)", "Advance GDP q/q"], "high", "08:30", day(29, MEETINGS.quarterStarts), figure(2.2, 0.6, "%")],
    ["Core PCE Price Index (MoM)", "high", "08:30", day(27), figure(0.2, 0.1, "%")],
    ["Crude Oil Inventories", "low", "10:30", weekly(3), figure(-0.4, 2.6, "M")],
    [["Fed Interest Rate Decision", "Federal Funds Rate"], "high", "14:00", nth(3, 3, MEETINGS.fed), rate(3.75)],
    ["FOMC Statement", "high", "14:00", nth(3, 3, MEETINGS.fed), null],
    ["FOMC Press Conference", "high", "14:30", nth(3, 3, MEETINGS.fed), null],
    [[null, "Bank Holiday"], "low", "00:00", nth(4, 4, [11]), null, "all_day"],
  ]),
  ...of("EUR", BERLIN, [
    [["CPI (YoY)", "CPI Flash Estimate y/y"], "high", "11:00", day(1), figure(2.1, 0.15, "%")],
    [["Core CPI (YoY)", "Core CPI Flash Estimate y/y"], "high", "11:00", day(1), figure(2.3, 0.1, "%")],
    [["German CPI (MoM)", "German Prelim CPI m/m"], "high", "14:00", day(29), figure(0.1, 0.2, "%")],
    [
      ["HCOB Germany Manufacturing PMI", "German Flash Manufacturing PMI"],
      "high",
      "09:30",
      day(22),
      figure(48.9, 1, ""),
    ],
    [["HCOB Eurozone Services PMI", "Flash Services PMI"], "medium", "10:00", day(22), figure(51.2, 0.8, "")],
    ["German ZEW Economic Sentiment", "medium", "11:00", nth(2, 2), figure(38, 7, "")],
    [
      ["German Ifo Business Climate Index", "German Ifo Business Climate"],
      "medium",
      "10:00",
      day(24),
      figure(88.2, 1, ""),
    ],
    ["German Factory Orders (MoM)", "low", "08:00", day(6), figure(0.3, 1.6, "%")],
    [["GDP (QoQ)", "Flash GDP q/q"], "medium", "11:00", day(14, MEETINGS.midQuarters), figure(0.2, 0.15, "%")],
    ["Unemployment Rate", "low", "11:00", workday(2), figure(6.3, 0.1, "%")],
    [["ECB Interest Rate Decision", "Main Refinancing Rate"], "high", "14:15", nth(2, 4, MEETINGS.ecb), rate(2.15)],
    ["ECB Press Conference", "high", "14:45", nth(2, 4, MEETINGS.ecb), null],
  ]),
  ...of("GBP", LONDON, [
    ["CPI (YoY)", "high", "07:00", nth(3, 3), figure(3.4, 0.2, "%")],
    ["Core CPI (YoY)", "medium", "07:00", nth(3, 3), figure(3.5, 0.2, "%")],
    ["Claimant Count Change", "medium", "07:00", nth(2, 2), figure(18, 9, "K")],
    ["Unemployment Rate", "medium", "07:00", nth(2, 2), figure(4.8, 0.1, "%")],
    ["GDP (MoM)", "high", "07:00", day(13), figure(0.1, 0.2, "%")],
    ["Manufacturing Production (MoM)", "low", "07:00", day(13), figure(0.1, 0.6, "%")],
    ["Retail Sales (MoM)", "medium", "07:00", nth(3, 5), figure(0.3, 0.6, "%")],
    [["S&P Global Services PMI", "Flash Services PMI"], "high", "09:30", day(22), figure(51.6, 0.9, "")],
    [["BoE Interest Rate Decision", "Official Bank Rate"], "high", "12:00", nth(1, 4, MEETINGS.boe), rate(3.75)],
    [["BoE MPC Meeting Minutes", "Monetary Policy Summary"], "high", "12:00", nth(1, 4, MEETINGS.boe), null],
  ]),
  ...of("JPY", TOKYO, [
    ["Tokyo Core CPI (YoY)", "medium", "08:30", nth(4, 5), figure(2.6, 0.2, "%")],
    ["National Core CPI (YoY)", "medium", "08:30", nth(3, 5), figure(2.9, 0.2, "%")],
    ["Unemployment Rate", "low", "08:30", day(29), figure(2.6, 0.1, "%")],
    ["Retail Sales (YoY)", "low", "08:50", day(28), figure(1.4, 0.9, "%")],
    ["Trade Balance", "low", "08:50", nth(3, 3), figure(-0.2, 0.2, "T", 2)],
    [["GDP (QoQ)", "Prelim GDP q/q"], "medium", "08:50", day(16, MEETINGS.midQuarters), figure(0.2, 0.3, "%")],
    [
      ["Tankan Large Manufacturers Index", "Tankan Manufacturing Index"],
      "medium",
      "08:50",
      day(1, MEETINGS.quarterStarts),
      figure(14, 2, "", 0),
    ],
    // The Bank of Japan announces when it is done.
    [
      ["BoJ Interest Rate Decision", "BOJ Policy Rate"],
      "high",
      "12:00",
      nth(3, 5, MEETINGS.boj),
      rate(0.75),
      "tentative",
    ],
  ]),
  ...of("CHF", ZURICH, [
    ["CPI (MoM)", "high", "08:30", day(3), figure(0.1, 0.2, "%")],
    [["Unemployment Rate s.a.", "Unemployment Rate"], "low", "07:45", workday(5), figure(2.9, 0.1, "%")],
    ["Retail Sales (YoY)", "low", "08:30", workday(1), figure(1.2, 0.9, "%")],
    [["KOF Leading Indicators", "KOF Economic Barometer"], "low", "09:00", day(28), figure(100.6, 1.5, "")],
    [["SNB Interest Rate Decision", "SNB Policy Rate"], "high", "09:30", nth(3, 4, MEETINGS.quarters), rate(0)],
  ]),
  ...of("CAD", TORONTO, [
    ["Employment Change", "high", "08:30", nth(1, 5), figure(12, 22, "K")],
    ["Unemployment Rate", "high", "08:30", nth(1, 5), figure(6.8, 0.15, "%")],
    ["CPI (MoM)", "high", "08:30", nth(3, 2), figure(0.2, 0.2, "%")],
    ["GDP (MoM)", "high", "08:30", day(30), figure(0.1, 0.15, "%")],
    ["Retail Sales (MoM)", "medium", "08:30", day(21), figure(0.2, 0.5, "%")],
    ["Ivey PMI", "medium", "10:00", workday(5), figure(52, 3, "")],
    [["BoC Interest Rate Decision", "Overnight Rate"], "high", "09:45", nth(2, 3, MEETINGS.boc), rate(2.25)],
    [["BoC Rate Statement", "BOC Rate Statement"], "high", "09:45", nth(2, 3, MEETINGS.boc), null],
  ]),
  ...of("AUD", SYDNEY, [
    ["Employment Change", "high", "11:30", nth(3, 4), figure(22, 18, "K")],
    ["Unemployment Rate", "high", "11:30", nth(3, 4), figure(4.3, 0.1, "%")],
    ["CPI (YoY)", "high", "11:30", nth(4, 3), figure(3, 0.2, "%")],
    ["Retail Sales (MoM)", "medium", "11:30", workday(2), figure(0.3, 0.3, "%")],
    ["NAB Business Confidence", "medium", "11:30", nth(2, 2), figure(3, 4, "", 0)],
    ["GDP (QoQ)", "high", "11:30", nth(1, 3, MEETINGS.quarters), figure(0.4, 0.2, "%")],
    [["RBA Interest Rate Decision", "Cash Rate"], "high", "14:30", nth(1, 2, MEETINGS.rba), rate(3.6)],
    ["RBA Rate Statement", "high", "14:30", nth(1, 2, MEETINGS.rba), null],
  ]),
  ...of("NZD", AUCKLAND, [
    ["CPI (QoQ)", "high", "10:45", day(17, MEETINGS.quarterStarts), figure(0.6, 0.2, "%")],
    ["Employment Change (QoQ)", "high", "10:45", nth(1, 3, MEETINGS.midQuarters), figure(0.1, 0.3, "%")],
    ["Unemployment Rate", "high", "10:45", nth(1, 3, MEETINGS.midQuarters), figure(5.1, 0.1, "%")],
    ["GDP (QoQ)", "high", "10:45", nth(3, 4, MEETINGS.quarters), figure(0.3, 0.4, "%")],
    [["Business NZ PMI", "BusinessNZ Manufacturing Index"], "low", "10:30", nth(2, 5), figure(50.2, 1.4, "")],
    ["Trade Balance", "low", "10:45", day(21), figure(-620, 350, "M", 0)],
    [["RBNZ Interest Rate Decision", "Official Cash Rate"], "high", "14:00", nth(4, 3, MEETINGS.rbnz), rate(2.5)],
  ]),
];
