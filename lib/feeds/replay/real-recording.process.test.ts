import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createIntake, type Intake, type Quote } from "@/lib/feeds/intake";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { readRecordedTicks } from "@/lib/feeds/replay/recording";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { MINUTE_MS } from "@/lib/time/units";

/** Real ticks of two brokers over the same days; the expected counts were computed from the files by other programs. */

const realData = findRealData();

const ROWS: Readonly<Record<string, number>> = {
  "oanda eurusd": 24_179 + 49_341 + 1_164 + 25_177 + 44_864,
  "oanda nzdusd": 41_665 + 27_278 + 49_798,
  "oanda xauusd": 265_015,
  "fxcm eurusd": 51_053 + 96_406 + 8_025 + 58_143 + 102_682,
  "fxcm nzdusd": 73_439 + 68_867 + 109_001,
};
/** FXCM's rows with bid above ask; OANDA has none. */
const FXCM_CROSSED = 3_991 + 12_061 + 174 + 4_987 + 9_999 + (2_153 + 1_641 + 2_650);

describe.skipIf(realData === undefined)("recorded ticks of OANDA and FXCM", () => {
  const rows: Record<string, number> = {};
  const quotes: Quote[] = [];
  let timesRunBack = 0;
  let crossed = 0;
  let intake: Intake;

  beforeAll(() => {
    const sources = [
      { name: "oanda", mode: "replay" },
      { name: "fxcm", mode: "replay" },
    ] as const;
    const resolver = createResolver(instruments);
    intake = createIntake({ resolver, sources, onQuote: (quote) => quotes.push(quote), now: () => 0 });
    const dir = join(realData ?? "", "ticks/lean/Data");
    let lastMs = 0;
    for (const { source, brokerSymbol, bid, ask, timeMs } of readRecordedTicks({ dir, zones: { fxcm: "Etc/GMT+5" } })) {
      const series = `${source} ${brokerSymbol}`;
      rows[series] = (rows[series] ?? 0) + 1;
      if (timeMs < lastMs) timesRunBack++;
      if (bid > ask) crossed++;
      lastMs = timeMs;
      intake.tick({ source, brokerSymbol, bid, ask, brokerTimeMs: timeMs, receivedAtMs: timeMs });
    }
  });

  test("are read to the last row, in time order", () => {
    expect(rows).toEqual(ROWS);
    expect(timesRunBack).toBe(0);
  });

  test("lose their crossed rows at the intake, and few others", () => {
    expect(crossed).toBe(FXCM_CROSSED);
    const { accepted, sources, refused } = intake.counts();
    const [oanda, fxcm] = sources;
    expect(fxcm?.refused.crossed).toBe(FXCM_CROSSED);
    expect(oanda?.refused.crossed).toBe(0);
    expect(quotes.some(({ bid, ask }) => bid > ask)).toBe(false);
    expect(quotes).toHaveLength(accepted);
    const { duplicate } = refused;
    const none = {
      unknown_symbol: 0,
      ambiguous_symbol: 0,
      non_finite: 0,
      non_positive: 0,
      future: 0,
      late: 0,
      far_off: 0,
      second_spelling: 0,
    };
    expect(refused).toEqual({ ...none, crossed: FXCM_CROSSED, duplicate });
    expect(accepted + FXCM_CROSSED + duplicate).toBe(Object.values(ROWS).reduce((sum, count) => sum + count));
  });

  test.each(["EURUSD", "NZDUSD"])(
    "of %s agree within a pip, minute by minute, once FXCM is read as UTC−5",
    (symbol) => {
      const differences = computeMinuteDifferences(quotes.filter(({ instrument }) => instrument.symbol === symbol));
      expect(differences.length).toBeGreaterThan(3_000);
      const withinOnePip = differences.filter((pips) => pips <= 1).length / differences.length;
      expect(withinOnePip).toBeGreaterThan(0.99);
      expect(median(differences)).toBeLessThan(0.2);
    },
  );

  test("do not agree with a zone that is an hour off", () => {
    const shifted = quotes
      .filter(({ instrument }) => instrument.symbol === "EURUSD")
      .map((quote) => (quote.source === "fxcm" ? { ...quote, timeMs: quote.timeMs - 60 * MINUTE_MS } : quote))
      .sort((a, b) => a.timeMs - b.timeMs);
    const differences = computeMinuteDifferences(shifted);
    expect(differences.filter((pips) => pips <= 1).length / differences.length).toBeLessThan(0.5);
  });
});

/** The distance between the two brokers' mids at each full minute before which both ticked within a minute. */
function computeMinuteDifferences(quotes: readonly Quote[]): number[] {
  const latest = new Map<string, Quote>();
  const differences: number[] = [];
  let minute = 0;
  for (const quote of quotes) {
    const quoteMinute = Math.floor(quote.timeMs / MINUTE_MS);
    if (quoteMinute > minute) {
      const [a, b] = latest.values();
      const fresh = (seen: Quote | undefined) => seen !== undefined && seen.timeMs >= (quoteMinute - 1) * MINUTE_MS;
      if (a !== undefined && b !== undefined && fresh(a) && fresh(b)) {
        differences.push(Math.abs(a.bid + a.ask - b.bid - b.ask) / 2 / a.instrument.pipSize);
      }
      minute = quoteMinute;
    }
    latest.set(quote.source, quote);
  }
  return differences;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
