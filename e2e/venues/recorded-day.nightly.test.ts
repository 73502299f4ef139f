import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { readVenueFile } from "@/e2e/venues/kit/venue-file";
import type { DayTick } from "@/e2e/venues/recorded/recorded-day";
import { VENDOR_DAYS } from "@/e2e/venues/recorded/vendor-days";
import { WIRE_FORMATS } from "@/e2e/venues/recorded/wire-formats";
import { createBook } from "@/lib/book/book";
import { createIntake } from "@/lib/feeds/intake";
import { findKind } from "@/lib/feeds/kinds";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import type { PointBar } from "@/lib/history/bars/bar-block";
import { joinBars, readBars } from "@/lib/history/bars/bar-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { importFile } from "@/lib/history/import/import-file";
import { listImportFiles, planFile } from "@/lib/history/import/plan-import";
import { startRecording } from "@/lib/history/recording/recording";
import { readHour } from "@/lib/history/ticks/tick-history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { getBarStart, TIMEFRAMES } from "@/lib/market/timeframe";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

/**
 * A vendor's whole day ends in the same stored seconds and bars, whether a venue sends it over sockets or its file is
 * imported; both equal a straight computation from the file.
 */

type Vendor = keyof typeof VENDOR_DAYS;

interface Format {
  readonly vendor: Vendor;
  /** The name of the venue's scenario. */
  readonly venue: string;
  readonly kind: string;
  readonly settings?: object;
  /** The venue's spelling of the symbol. */
  readonly spelling: string;
  /** Whether its times are whole seconds. */
  readonly isCoarse?: boolean;
}

const FORMATS: readonly Format[] = [
  { vendor: "oanda", venue: "massive", kind: "massive", spelling: "EUR/USD" },
  { vendor: "oanda", venue: "fix-lmax", kind: "fix", spelling: "4001", settings: { profile: "lmax" } },
  { vendor: "fxcm", venue: "tiingo", kind: "tiingo", spelling: "eurusd" },
  { vendor: "fxcm", venue: "tradermade", kind: "tradermade", spelling: "EURUSD" },
  { vendor: "dukascopy", venue: "massive", kind: "massive", spelling: "GBP/JPY" },
  { vendor: "dukascopy", venue: "deriv", kind: "deriv", spelling: "frxGBPJPY", isCoarse: true },
];

const PATIENCE = { timeout: 50 * SECOND_MS, interval: 20 };
const realData = findRealData() ?? "";

interface Stored {
  /** The last bid and ask of each Unix second, in points. */
  readonly seconds: ReadonlyMap<number, readonly number[]>;
  readonly bars: Readonly<Record<string, readonly PointBar[]>>;
}

interface Computed extends Stored {
  /** Ticks that are stored. */
  readonly count: number;
  /** Ticks with a bid above the ask, which FXCM has many of, and repetitions of the tick before. */
  readonly crossed: number;
  readonly repeated: number;
}

/** What should be stored, computed in the simplest way. */
function compute(ticks: readonly DayTick[], { digits }: Instrument): Computed {
  const toPoints = (price: number) => Math.round(Number(price.toFixed(digits)) * 10 ** digits);
  const seconds = new Map<number, readonly number[]>();
  const minutes = new Map<number, PointBar>();
  let [last, count, crossed, repeated] = ["", 0, 0, 0];
  for (const tick of ticks) {
    const [bid, ask] = [toPoints(tick.bid), toPoints(tick.ask)];
    const text = `${tick.timeMs} ${bid} ${ask}`;
    if (bid > ask) crossed++;
    else if (text === last) repeated++;
    if (bid > ask || text === last) continue;
    last = text;
    count++;
    seconds.set(Math.floor(tick.timeMs / SECOND_MS), [bid, ask]);
    const timeMs = getBarStart("M1", tick.timeMs);
    const { open: first, high, low, volume } = minutes.get(timeMs) ?? { open: bid, high: bid, low: bid, volume: 0 };
    const range = { high: Math.max(high, bid), low: Math.min(low, bid) };
    minutes.set(timeMs, { timeMs, digits, open: first, ...range, close: bid, volume: volume + 1 });
  }
  const m1 = [...minutes.values()];
  const bars = TIMEFRAMES.map((timeframe) => [timeframe, timeframe === "M1" ? m1 : joinBars(m1, timeframe)]);
  return { seconds, bars: Object.fromEntries(bars) as Stored["bars"], count, crossed, repeated };
}

async function readStored({ db: { pool } }: TestDatabase, symbol: string, fromMs: number): Promise<Stored> {
  const seconds = new Map<number, readonly number[]>();
  const startMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  for (let hourMs = startMs; hourMs < startMs + DAY_MS; hourMs += HOUR_MS) {
    const hour = await readHour(pool, symbol, hourMs);
    hour?.seconds.forEach((second, i) =>
      seconds.set(hourMs / SECOND_MS + second, [hour.bid[i] as number, hour.ask[i] as number]),
    );
  }
  const bars: Record<string, readonly PointBar[]> = {};
  for (const timeframe of TIMEFRAMES) {
    const found = await readBars(pool, { symbols: [symbol], timeframe, limit: 1e6, pick: "first" });
    bars[timeframe] = found.get(symbol) ?? [];
  }
  return { seconds, bars };
}

/** Receives a day from a venue as a server does, and records it. The clock is that of the ticks. */
async function record(
  format: Format,
  ticks: readonly DayTick[],
  instrument: Instrument,
  { db: { pool } }: TestDatabase,
) {
  const { venue: name, spelling, settings } = format;
  const write = WIRE_FORMATS[name] ?? String;
  const feedDay = function* () {
    for (const tick of ticks) yield write(tick);
  };
  // FIX without TLS: whether connections are encrypted is tested elsewhere.
  const transport = format.kind === "fix" ? { transport: "tcp" as const } : {};
  const venue = await open({ scenario: readVenueFile(name), name: "recorded day", feed: feedDay, ...transport });
  let nowMs = ticks[0]?.timeMs ?? NaN;
  const marketNow = () => nowMs;
  const kind = findKind(format.kind);
  if (kind === undefined) throw new Error(`there is no kind ${format.kind}`);
  const address = { host: "127.0.0.1", port: Number(new URL(venue.url).port), tls: false, senderCompId: "SPOTLINE" };
  const feed = kind.create({
    ...{ name: "live", symbols: [spelling], instruments: [instrument], storedUntilMs: null, log: silentLog },
    ...{ dataDir: "", recorder: null, prices: undefined },
    ...{ now: marketNow, monotonic: () => performance.now() },
    settings: format.kind === "fix" ? { ...address, ...settings } : { url: venue.url },
    secrets: { token: "a-token", user: "demo", password: "secret" },
  });
  const book = createBook({ sources: feed.sources, now: marketNow });
  const keeper = new HistoryKeeper({ pool, instruments: [instrument], sources: feed.sources, marketNow });
  const clocks = { marketNow, marketElapsed: marketNow };
  const recording = await startRecording({
    ...{ pool, keeper, instruments: [instrument], servedSource: book.servedSource, ...clocks, log: silentLog },
    ...{ isExclusive: true, flushMs: 100 },
  });
  const intake = createIntake({
    resolver: catalogResolver,
    sources: [{ name: "live", aliases: { [spelling]: instrument.symbol } }],
    now: marketNow,
    onQuote(quote) {
      book.accept(quote);
      recording.onQuote(quote);
    },
  });
  onTestFinished(() => feed.stop());
  let received = 0;
  await feed.start({
    status: (...report) => intake.status(...report),
    tick(tick) {
      received++;
      nowMs = Math.max(nowMs, tick.brokerTimeMs);
      intake.tick({ ...tick, receivedAtMs: nowMs });
    },
  });
  await expect.poll(() => received, PATIENCE).toBe(ticks.length);
  await feed.stop();
  expect(venue.violations).toEqual([]);
  // The hours are over, also the last one.
  nowMs += 2 * HOUR_MS;
  const isDone = async () => {
    await recording.store();
    return keeper.openHours.listStarts().length === 0;
  };
  await expect.poll(isDone, PATIENCE).toBe(true);
  await recording.stop();
  const [counts] = intake.counts().sources;
  return { accepted: counts?.accepted, refused: counts?.refused, recorded: recording.status() };
}

async function importDay(vendor: Vendor, { db: { pool } }: TestDatabase) {
  const { path, ...plan } = VENDOR_DAYS[vendor] as { path: string; zone?: string };
  let [accepted, added, crossed, rows] = [0, 0, 0, 0];
  for (const file of listImportFiles([join(realData, path)])) {
    const [task] = (await planFile(file.path, { zone: plan.zone, source: vendor })).tasks;
    if (task === undefined) throw new Error("The file has no rows.");
    const options = { pool, priority: [], untilMs: Date.UTC(2026, 0), spreadsFromMs: 0 };
    const { report } = await importFile(task, options);
    rows += report.rows;
    crossed += report.refused.crossed?.count ?? 0;
    accepted += report.accepted;
    added += report.added;
  }
  return { rows, crossed, accepted, added };
}

/** Runs work with a database of its own. */
async function withDatabase<Result>(work: (database: TestDatabase) => Promise<Result>): Promise<Result> {
  const database = await openTestDatabase();
  return work(database).finally(() => database.cleanup());
}

describe.skipIf(realData === "")("a vendor's day", () => {
  test.each(Object.keys(VENDOR_DAYS) as Vendor[])("of %s is imported as computed from its file", async (vendor) => {
    const day = VENDOR_DAYS[vendor];
    const ticks = day.read(realData);
    const expected = compute(ticks, instrumentBySymbol.get(day.symbol) as Instrument);
    await withDatabase(async (database) => {
      const { crossed, count: added } = expected;
      const counts = { rows: ticks.length, crossed, accepted: ticks.length - crossed, added };
      expect(await importDay(vendor, database)).toEqual(counts);
      const { seconds, bars } = await readStored(database, day.symbol, ticks[0]?.timeMs ?? NaN);
      expect(seconds).toEqual(expected.seconds);
      expect(bars).toEqual(expected.bars);
    });
  });

  test.each(FORMATS)("of $vendor is recorded from $venue as it is imported", async (format) => {
    const day = VENDOR_DAYS[format.vendor];
    const instrument = instrumentBySymbol.get(day.symbol) as Instrument;
    const ticks = day.read(realData);
    const sent = ticks.map((tick) => {
      const timeMs = format.isCoarse === true ? Math.floor(tick.timeMs / SECOND_MS) * SECOND_MS : tick.timeMs;
      return { ...tick, timeMs };
    });
    const expected = compute(sent, instrument);
    await withDatabase(async (database) => {
      const { accepted, refused, recorded } = await record(format, ticks, instrument, database);
      expect(accepted).toBe(expected.count);
      const reasons = Object.entries(refused ?? {}).filter(([, count]) => count > 0);
      const { crossed, repeated: duplicate } = expected;
      expect(Object.fromEntries(reasons)).toEqual(
        Object.fromEntries(Object.entries({ crossed, duplicate }).filter(([, count]) => count > 0)),
      );
      expect(recorded).toMatchObject({ tooLate: 0, dropped: 0 });
      const { seconds, bars } = await readStored(database, day.symbol, ticks[0]?.timeMs ?? NaN);
      expect(seconds).toEqual(expected.seconds);
      expect(bars).toEqual(expected.bars);
    });
    // Whole seconds hide which updates of a second are repetitions, so the volumes differ from the file's; prices do not.
    const exact = compute(ticks, instrument);
    expect(expected.seconds).toEqual(exact.seconds);
    const omitVolume = ({ volume: _, ...bar }: PointBar) => bar;
    expect(expected.bars["M1"]?.map(omitVolume)).toEqual(exact.bars["M1"]?.map(omitVolume));
    if (format.isCoarse !== true) expect(expected.bars).toEqual(exact.bars);
  });
});
