import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { createIntake, type Quote } from "@/lib/feeds/intake";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { readRecordedTicks } from "@/lib/feeds/replay/recording";
import { toBar, toMinuteBars } from "@/lib/history/bars/bar-rows";
import { OpenHoursKeeper } from "@/lib/history/open-hours";
import { Recorder } from "@/lib/history/recording/recorder";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";
import { createResolver } from "@/lib/market/resolver";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";

/** Bars made from real ticks equal the same vendor's own bars. */

const realData = findRealData();
const ZONES: Readonly<Record<string, string>> = { oanda: "UTC", fxcm: "Etc/GMT+5" };
const SERIES = [
  ["oanda", "EURUSD", "forex"],
  ["oanda", "NZDUSD", "forex"],
  ["oanda", "XAUUSD", "cfd"],
  ["fxcm", "EURUSD", "forex"],
  ["fxcm", "NZDUSD", "forex"],
] as const;

describe.skipIf(realData === undefined)("bars of recorded ticks", () => {
  const recorded = new Map<string, { recorder: Recorder; openHours: OpenHoursKeeper }>();
  const updates = new Map<string, number>();

  beforeAll(async () => {
    const sources = Object.keys(ZONES).map((name) => ({ name, mode: "replay" as const }));
    for (const { name } of sources) recorded.set(name, openRecorder(name));
    const record = (quote: Quote) => {
      const key = `${quote.source} ${quote.instrument.symbol}`;
      updates.set(key, (updates.get(key) ?? 0) + 1);
      recorded.get(quote.source)?.recorder.onQuote(quote);
    };
    const intake = createIntake({ resolver: createResolver(instruments), sources, onQuote: record, now: () => 0 });
    for (const tick of readRecordedTicks({ dir: join(realData ?? "", "ticks/lean/Data"), zones: ZONES })) {
      const { source, brokerSymbol, bid, ask, timeMs } = tick;
      if (source === "oanda") {
        intake.tick({ source, brokerSymbol, bid, ask, brokerTimeMs: timeMs, receivedAtMs: timeMs });
        continue;
      }
      // One in ten of FXCM's rows is crossed: the intake refuses it, but the vendor's bars contain it.
      const instrument = instrumentBySymbol.get(brokerSymbol.toUpperCase()) as Instrument;
      const price = { bid: roundPrice(bid, instrument.digits), ask: roundPrice(ask, instrument.digits) };
      record({ source, instrument, ...price, timeMs, receivedAtMs: timeMs });
    }
    for (const { recorder } of recorded.values()) await recorder.finish();
  });

  test.each(SERIES)("Minute bars of %s's %s equal the vendor's, all of them", (source, symbol, assetClass) => {
    const folder = (what: string, resolution: string) =>
      join(realData ?? "", what, "lean/Data", assetClass, source, resolution, symbol.toLowerCase());
    // Of gold there are bars of more days than ticks.
    const days = readdirSync(folder("ticks", "tick")).sort();
    const expected = days.flatMap((day) =>
      readVendorBars(join(folder("bars", "minute"), day), ZONES[source] as string),
    );
    const hours = recorded.get(source)?.openHours.getHours(symbol) ?? [];
    const computed = hours.flatMap(toMinuteBars).map(toBar);
    expect(expected.length).toBeGreaterThan(1_000);
    expect(computed.map(({ volume: _, ...prices }) => prices)).toEqual(expected);
    expect(computed.reduce((sum, { volume }) => sum + volume, 0)).toBe(updates.get(`${source} ${symbol}`));
  });
});

function openRecorder(source: string) {
  const openHours = new OpenHoursKeeper(instruments);
  const recorder = new Recorder({
    openHours,
    closedHours: [],
    servedSource: () => source,
    marketNow: () => 0,
    maxWaiting: Infinity,
    append: async () => {},
    onRecorded(rows) {
      for (const row of rows) openHours.write(row);
    },
  });
  return { recorder, openHours };
}

type Prices = Omit<Bar, "volume">;

function readVendorBars(file: string, zone: string): Prices[] {
  const date = basename(file);
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6, 8)].map(Number);
  return readRows(file).map(([ms, open, high, low, close]) => ({
    timeMs: zonedTimeToUtcMs(zone, year ?? 0, month ?? 0, day ?? 0, Number(ms)),
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
  }));
}

function readRows(file: string): string[][] {
  const [csv = new Uint8Array()] = Object.values(unzipSync(readFileSync(file)));
  return strFromU8(csv)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.trim().split(","));
}
