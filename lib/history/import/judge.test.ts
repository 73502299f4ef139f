import { expect, test } from "vitest";
import { PriceLevels } from "@/lib/feeds/files/price-level";
import { createRow, type PriceRows } from "@/lib/feeds/files/price-rows";
import type { RefusedRow } from "@/lib/history/import/import-report";
import { HELD, Judge } from "@/lib/history/import/judge";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const TUESDAY = Date.UTC(2024, 4, 14, 6);
const SATURDAY = Date.UTC(2024, 4, 18, 6);
const UNTIL = Date.UTC(2026, 0);

interface Options {
  readonly symbol?: string;
  readonly stepMs?: number;
  readonly isAligned?: boolean;
  readonly levels?: PriceLevels | null;
}

/** The verdict of each row, in the order in which they come out. */
function judge(
  rows: readonly Partial<PriceRows>[],
  { symbol = "EURUSD", stepMs = 0, isAligned = false, levels = null }: Options = {},
) {
  const instrument = catalogResolver.find(symbol);
  if (instrument === undefined) throw new Error(`${symbol} is in the catalog`);
  const checks = new Judge({ instrument, untilMs: UNTIL, stepMs, isAligned, levels });
  const verdicts: (RefusedRow | null)[] = [];
  const times: number[] = [];
  const take = (verdict: RefusedRow | null, timeMs: number) => {
    verdicts.push(verdict);
    if (verdict === null) times.push(timeMs);
  };
  const takeDecided = () => {
    for (const { verdict, timeMs } of checks.decided) take(verdict, timeMs);
    checks.decided = [];
  };
  rows.forEach((row, at) => {
    const verdict = checks.judge({ ...createRow(), next: () => false, describe: () => "", at, ...row });
    takeDecided();
    if (verdict !== HELD) take(verdict, checks.row.timeMs);
  });
  checks.finish();
  takeDecided();
  return { verdicts, times, checks };
}

const ticks = (bids: readonly number[]) => bids.map((bid, i) => ({ timeMs: TUESDAY + i, bid, ask: bid + 0.0001 }));
const bar = (timeMs: number, prices: readonly number[], volume = 5) => {
  const [open = 1.1, high = open, low = open, close = open] = prices;
  return { timeMs, open, high, low, close, volume };
};
const listRefused = (verdicts: readonly (RefusedRow | null)[]) =>
  verdicts.flatMap((verdict, at) => (verdict === null ? [] : [`${at} ${verdict}`]));

test.each([
  ["the first row", [11, 1.1, 1.1, 1.1], ["0 far_off"]],
  ["the second row", [1.1, 11, 1.1, 1.1], ["1 far_off"]],
  ["the last row", [1.1, 1.1, 1.1, 11], ["3 far_off"]],
  ["three rows that return", [1.1, 1.1, 1.1, 1.1, 11, 11, 11, 1.1], ["4 far_off", "5 far_off", "6 far_off"]],
  ["a row beside a real jump", [1.2, 1.2, 1.2, 1.2, 1.2, 11, 1, 1, 1, 1, 1], ["5 far_off"]],
])("A spike is refused where it is %s.", (_, bids, refused) => {
  expect(listRefused(judge(ticks(bids)).verdicts)).toEqual(refused);
});

test.each([
  ["in the middle", [1.2, 1.2, 1.2, 1.2, 1.2, 1, 1, 1, 1, 1]],
  ["near the end", [1.2, 1.2, 1.2, 1.2, 1.2, 1, 1]],
  ["near the start", [1.2, 1.2, 1, 1, 1, 1]],
  ["over several levels", [1.2, 1.2, 1.2, 1.2, 1.2, 1.1, 0.98, 0.88, 1.03, 1.03, 1.03, 1.03, 1.03]],
  ["in a file of one row", [1.2]],
])("A jump %s stays, because the prices behind it agree.", (_, bids) => {
  expect(listRefused(judge(ticks(bids)).verdicts)).toEqual([]);
});

test("Rows come out in their order, refused ones between those that wait too.", () => {
  const rows = [...ticks([1.2, 1.2, 1.2, 1, 1]), { fault: "a time" }, ...ticks([1, 1, 1])];
  const { verdicts } = judge(rows);
  expect(listRefused(verdicts)).toEqual(["5 malformed"]);
  expect(verdicts).toHaveLength(9);
});

test("A bar keeps the low of a real crash, and is refused for a high or a low with a slipped decimal point.", () => {
  const calm = Array.from({ length: 6 }, (_, i) => bar(TUESDAY + i * HOUR_MS, [1.201, 1.2015, 1.2004, 1.2009]));
  const crash = bar(TUESDAY + 6 * HOUR_MS, [1.201, 1.201, 0.85, 1.0345]);
  const after = Array.from({ length: 5 }, (_, i) => bar(TUESDAY + (7 + i) * HOUR_MS, [1.03, 1.04, 1.02, 1.035]));
  expect(listRefused(judge([...calm, crash, ...after], { stepMs: HOUR_MS }).verdicts)).toEqual([]);
  const slips = [
    bar(TUESDAY + 6 * HOUR_MS, [1.201, 12.01, 1.2, 1.201]),
    bar(TUESDAY + 7 * HOUR_MS, [1.2, 1.2, 0.12, 1.2]),
  ];
  expect(listRefused(judge([...calm, ...slips], { stepMs: HOUR_MS }).verdicts)).toEqual(["6 far_off", "7 far_off"]);
});

test("Bars off their grid are refused, or moved back to it.", () => {
  const rows = [0, 1, 2].map((minute) => bar(TUESDAY + minute * MINUTE_MS + 30_000, []));
  expect(listRefused(judge(rows, { stepMs: MINUTE_MS }).verdicts)).toEqual(["0 off_grid", "1 off_grid", "2 off_grid"]);
  const { times, checks } = judge(rows, { stepMs: MINUTE_MS, isAligned: true });
  expect(times).toEqual([0, 1, 2].map((minute) => TUESDAY + minute * MINUTE_MS));
  expect(checks.moved).toBe(3);
});

test("A volume is optional: none, a negative one and one that is too large cost no price.", () => {
  const rows = [NaN, -1, 1e12, 7].map((volume, i) => bar(TUESDAY + i * MINUTE_MS, [], volume));
  const { verdicts, checks } = judge(rows, { stepMs: MINUTE_MS });
  expect(listRefused(verdicts)).toEqual([]);
  expect([checks.withoutVolume, checks.row.volume]).toEqual([3, 7]);
});

test("Flat bars without volume are left out while the market is closed, and stay while it is open.", () => {
  const flat = (timeMs: number) => Array.from({ length: 3 }, (_, i) => bar(timeMs + i * MINUTE_MS, [1.1], 0));
  const traded = [bar(TUESDAY - MINUTE_MS, [1.1, 1.2, 1.1, 1.1])];
  const left = ["4 closed_hours", "5 closed_hours", "6 closed_hours"];
  const options = { stepMs: MINUTE_MS };
  expect(listRefused(judge([...traded, ...flat(TUESDAY), ...flat(SATURDAY)], options).verdicts)).toEqual(left);
  const always = judge([...traded, ...flat(TUESDAY), ...flat(SATURDAY)], { ...options, symbol: "BTCUSD" });
  expect(listRefused(always.verdicts).filter((each) => each.includes("closed"))).toEqual([]);
});

test("Where no bar has a volume, one flat bar in closed hours is a price, and repeated ones fill.", () => {
  const bars = (closes: readonly number[]) => closes.map((close, i) => bar(SATURDAY + i * MINUTE_MS, [close], 0));
  const before = bar(SATURDAY - 2 * 24 * HOUR_MS, [1.1, 1.1001, 1.0999, 1.1], 0);
  const options = { stepMs: MINUTE_MS };
  expect(listRefused(judge([before, ...bars([1.1, 1.1003, 1.1004])], options).verdicts)).toEqual([]);
  expect(listRefused(judge([before, ...bars([1.1, 1.1, 1.1])], options).verdicts)).toEqual(
    [1, 2, 3].map((at) => `${at} closed_hours`),
  );
});

test("A spike of a tenth inside of a bar is refused where the bars around it are calm, and stays where they are not.", () => {
  const levels = new PriceLevels(catalogResolver.find("GBPUSD") as Instrument, null);
  const options = { symbol: "GBPUSD", stepMs: MINUTE_MS, levels };
  const calm = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => bar(TUESDAY + (from + i) * MINUTE_MS, [1.27, 1.2703, 1.2698, 1.2701]));
  const spike = (at: number) => bar(TUESDAY + at * MINUTE_MS, [1.27, 1.3462, 1.2698, 1.2702]);
  const dip = (at: number) => bar(TUESDAY + at * MINUTE_MS, [1.27, 1.2703, 1.198, 1.2702]);
  const far = [...calm(0, 3), spike(3), ...calm(4, 3), dip(7), ...calm(8, 2)];
  expect(listRefused(judge(far, options).verdicts)).toEqual(["3 far_off", "7 far_off"]);
  const first = [spike(0), ...calm(1, 5)];
  expect(listRefused(judge(first, options).verdicts)).toEqual(["0 far_off"]);
  // The pound on 2016-10-07: minutes of a fall, and the deepest of them recovers.
  const fall = [
    ...calm(0, 3),
    bar(TUESDAY + 3 * MINUTE_MS, [1.27, 1.2702, 1.245, 1.2462]),
    bar(TUESDAY + 4 * MINUTE_MS, [1.246, 1.25, 1.18, 1.235]),
    bar(TUESDAY + 5 * MINUTE_MS, [1.235, 1.25, 1.23, 1.245]),
  ];
  expect(listRefused(judge(fall, options).verdicts)).toEqual([]);
});
