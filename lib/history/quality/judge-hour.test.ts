import { describe, expect, test } from "vitest";
import {
  type HourWindow,
  judgeHour,
  LEAD,
  type SourceWindow,
  type Verdict,
  VERDICTS,
  WINDOW,
} from "@/lib/history/quality/judge-hour";
import { createRandom } from "@/lib/history/quality/planted-faults.fixture";

/** A market that moves by up to three points each second, and sources that quote it with spreads of twelve points. */
function createMarket(names: readonly string[], seed = 1): SourceWindow[] {
  const random = createRandom(seed);
  let mid = 108_500;
  const mids = Float64Array.from({ length: WINDOW }, () => (mid += Math.round(6 * random() - 3)));
  return names.map((source, index) => {
    const window: SourceWindow = {
      ...{ source, bids: new Float64Array(WINDOW), asks: new Float64Array(WINDOW), updated: new Uint8Array(WINDOW) },
      highs: new Float64Array(60).fill(NaN),
      lows: new Float64Array(60).fill(NaN),
      lowAsks: new Float64Array(60).fill(NaN),
    };
    for (let i = 0; i < WINDOW; i++) {
      const isUpdated = i === 0 || random() < 0.7;
      window.updated[i] = isUpdated ? 1 : 0;
      window.bids[i] = isUpdated ? (mids[i] as number) - 6 + index : (window.bids[i - 1] as number);
      window.asks[i] = (window.bids[i] as number) + 12;
    }
    return window;
  });
}

const shift = (source: SourceWindow | undefined, from: number, to: number, by: number) => {
  for (let i = LEAD + from; i < LEAD + to; i++) {
    (source as SourceWindow).bids[i]! += by;
    (source as SourceWindow).asks[i]! += by;
  }
};

/** Repeats the second before [from, to) in it, with updates or without. */
function hold(source: SourceWindow | undefined, from: number, to: number, updated: 0 | 1): void {
  if (source === undefined) return;
  for (let i = LEAD + from; i < LEAD + to; i++) {
    source.bids[i] = source.bids[LEAD + from - 1] as number;
    source.asks[i] = source.asks[LEAD + from - 1] as number;
    source.updated[i] = updated;
  }
}

function judge(sources: readonly SourceWindow[], window: Partial<HourWindow> = {}) {
  const all = () => new Uint8Array(WINDOW).fill(1);
  const judged = judgeHour({ open: all(), recorded: all(), sources, ...window });
  return judged.map((hour) => ({ ...hour, verdicts: Array.from(hour.verdicts, (each) => VERDICTS[each] as Verdict) }));
}

/** The minutes of an hour with a verdict other than the usual one. */
const list = (hour: { verdicts: readonly Verdict[] } | undefined, usual: Verdict = "agrees") =>
  hour?.verdicts.flatMap((verdict, minute) => (verdict === usual ? [] : [`${minute} ${verdict}`]));

describe("the minutes of two sources", () => {
  test("agree while both follow the market, also with another markup", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const [one, two] = judge(createMarket(["one", "two"], seed));
      expect([list(one), list(two)]).toEqual([[], []]);
      expect([one?.expected, one?.covered, one?.gaps, one?.spikes, one?.longest]).toEqual([3_600, 3_600, [], [], 0]);
    }
  });

  test("have a spike where one source leaves the other and comes back, with its size and its seconds", () => {
    const sources = createMarket(["one", "two"]);
    shift(sources[0], 905, 908, 150);
    shift(sources[1], 1_805, 1_830, -150);
    const [one, two] = judge(sources);
    expect(list(one)).toEqual(["15 spike"]);
    expect(list(two)).toEqual(["30 spike"]);
    expect(one?.spikes).toEqual([{ from: 905, to: 908, size: expect.any(Number) as number }]);
    expect(one?.spikes[0]?.size).toBeGreaterThan(110);
    expect(two?.spikes[0]?.size).toBeLessThan(-110);
  });

  test("have no spike where the whole market jumps", () => {
    const sources = createMarket(["one", "two"]);
    shift(sources[0], 905, 3_600, 300);
    shift(sources[1], 907, 3_600, 300);
    for (const source of sources) shift(source, 3_600, 3_600 + LEAD, 300);
    const [one, two] = judge(sources);
    expect([list(one), list(two)]).toEqual([[], []]);
  });

  test("have a spike for a price within a second, which no second ends with", () => {
    const sources = createMarket(["one", "two"]);
    for (const source of sources) {
      for (let minute = 0; minute < 60; minute++) {
        const bids = source.bids.subarray(LEAD + 60 * minute, LEAD + 60 * minute + 60);
        source.highs[minute] = Math.max(...bids);
        source.lows[minute] = Math.min(...bids);
        source.lowAsks[minute] = Math.min(...bids) + 12;
      }
    }
    expect(judge(sources).map((hour) => list(hour))).toEqual([[], []]);
    sources[0]!.highs[7]! += 200;
    sources[1]!.lowAsks[9]! -= 200;
    // A bid that falls while the ask stays is a wide spread, which other brokers' prices are inside of.
    sources[1]!.lows[11]! -= 200;
    expect(judge(sources).map((hour) => list(hour))).toEqual([["7 spike"], ["9 spike"]]);
  });

  test("are off while one source has another level", () => {
    const sources = createMarket(["one", "two"]);
    shift(sources[1], 600, 900, 120);
    const [one, two] = judge(sources);
    expect(list(one)).toEqual([]);
    expect(list(two)).toEqual(["10 off", "11 off", "12 off", "13 off", "14 off"]);
    expect(two?.longest).toBe(300);
  });

  test("are stale while a source repeats one price, and a gap while it sends nothing", () => {
    const sources = createMarket(["one", "two"]);
    hold(sources[0], 600, 780, 1);
    hold(sources[1], 1_200, 1_380, 0);
    const [one, two] = judge(sources);
    expect(list(one)).toEqual(["10 stale", "11 stale", "12 stale", "20 alone", "21 alone", "22 alone"]);
    expect(list(two)).toEqual(["20 gap", "21 gap", "22 gap"]);
    const [from, to] = [1_200, 1_380].map((second) => expect.closeTo(second, -1) as number);
    expect(two?.gaps).toEqual([{ from, to, isStopped: false }]);
    expect(two?.covered).toBe(3_600 - ((two?.gaps[0]?.to ?? 0) - (two?.gaps[0]?.from ?? 0)));
  });

  test("lag while a source has what the other one had some seconds before", () => {
    const sources = createMarket(["one", "two"]);
    // A market that moves enough for a lag of twenty seconds to be seen.
    for (const { bids, asks } of sources) {
      for (let i = 0; i < WINDOW; i++) {
        const wave = Math.round(200 * Math.sin(i / 60));
        bids[i]! += wave;
        asks[i]! += wave;
      }
    }
    expect(judge(sources).map((hour) => list(hour))).toEqual([[], []]);
    const { bids, asks } = sources[0] as SourceWindow;
    const [oldBids, oldAsks] = [bids.slice(), asks.slice()];
    for (let i = LEAD + 1_200; i < LEAD + 1_800; i++) {
      bids[i] = oldBids[i - 20] as number;
      asks[i] = oldAsks[i - 20] as number;
    }
    const [one, two] = judge(sources);
    expect(list(one)).toEqual(expect.arrayContaining(["21 lag", "22 lag", "23 lag", "25 lag", "27 lag"]));
    expect(list(two)).toEqual([]);
  });

  test("are closed while the market is, and a gap while no server recorded", () => {
    const open = new Uint8Array(WINDOW).fill(1).fill(0, LEAD + 1_800);
    const recorded = new Uint8Array(WINDOW).fill(1).fill(0, LEAD + 600, LEAD + 720);
    const [one] = judge(createMarket(["one", "two"]), { open, recorded });
    expect(list(one)).toEqual([
      "10 gap",
      "11 gap",
      ...Array.from({ length: 30 }, (_, minute) => `${30 + minute} closed`),
    ]);
    expect([one?.expected, one?.covered]).toEqual([1_800, 1_680]);
    expect(one?.gaps).toEqual([{ from: 600, to: 720, isStopped: true }]);
  });
});

describe("the minutes of other numbers of sources", () => {
  test("are alone with one source, whose gaps are found by its own pace", () => {
    const sources = createMarket(["one"]);
    hold(sources[0], 1_200, 1_380, 0);
    const [one] = judge(sources);
    expect(list(one, "alone")).toEqual(["20 gap", "21 gap", "22 gap"]);
    expect(one?.distances.size).toBe(0);
  });

  test("have no verdict against a source that two others contradict", () => {
    const sources = createMarket(["one", "two", "three"]);
    shift(sources[2], 0, 3_600, 120);
    const [one, two, three] = judge(sources);
    expect([list(one), list(two)]).toEqual([[], []]);
    expect(list(three, "off")).toEqual([]);
  });

  test("are none without a source", () => {
    expect(judge([])).toEqual([]);
  });
});

test("Distances count each second by how far a source is from the others", () => {
  const sources = createMarket(["one", "two"]);
  const [one] = judge(sources);
  const counted = new Map<number, number>();
  for (let i = LEAD; i < LEAD + 3_600; i++) {
    const distance = Math.abs((sources[0]?.bids[i] as number) - (sources[1]?.bids[i] as number));
    counted.set(distance, (counted.get(distance) ?? 0) + 1);
  }
  expect(one?.distances).toEqual(counted);
});
