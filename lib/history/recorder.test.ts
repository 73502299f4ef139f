import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SecondRow } from "@/lib/history/hour-columns";
import { OpenHoursKeeper } from "@/lib/history/open-hours";
import { Recorder } from "@/lib/history/recorder";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS } from "@/lib/time/units";

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
const BITCOIN = instrumentBySymbol.get("BTCUSD") as Instrument;
const START_MS = Date.parse("2026-03-04T10:00:00Z");
const START = START_MS / 1000;

/** A recorder whose journal is a map, written as the real one is, which may refuse or answer too late. */
function open(options: { journal?: Map<string, SecondRow>; closedHours?: number[]; maxWaiting?: number } = {}) {
  const instruments = [EURUSD, BITCOIN];
  const journal = options.journal ?? new Map<string, SecondRow>();
  const openHours = new OpenHoursKeeper(instruments);
  for (const row of journal.values()) openHours.write(row);
  const acknowledged: SecondRow[] = [];
  const state = { nowMs: START_MS, served: "a", database: "there" as "there" | "away" | "mute" };
  const recorder = new Recorder({
    instruments,
    openHours,
    closedHours: options.closedHours ?? [],
    maxWaiting: options.maxWaiting,
    servedSource: () => state.served,
    marketNow: () => state.nowMs,
    async append(rows) {
      if (state.database === "away") throw new Error("no database");
      for (const row of rows) {
        const before = journal.get(`${row.symbol} ${row.second}`);
        if (before === undefined || before.updates <= row.updates) {
          const { symbol, second, bid, ask, open: first, high, low, updates } = row;
          journal.set(`${symbol} ${second}`, { symbol, second, bid, ask, open: first, high, low, updates });
        }
      }
      if (state.database === "mute") throw new Error("no answer");
    },
    onRecorded(rows, completeUntilMs) {
      for (const row of rows) openHours.write(row);
      openHours.advance(completeUntilMs);
      acknowledged.push(...rows.map((row) => ({ ...row })));
    },
  });
  function hear(timeMs: number, points: number, source = state.served, instrument = EURUSD) {
    const scale = 10 ** instrument.digits;
    const price = { bid: points / scale, ask: (points + 7) / scale };
    recorder.onQuote({ source, instrument, ...price, timeMs, receivedAtMs: timeMs });
  }
  return { recorder, openHours, journal, acknowledged, state, hear, rows: () => [...journal.values()] };
}

function row(second: number, open: number, high: number, low: number, close: number, updates: number): SecondRow {
  return { symbol: "EURUSD", second, bid: close, ask: close + 7, open, high, low, updates };
}

describe("the recorder", () => {
  test("folds the updates of a second into one row, and writes it when the clock has passed the second", async () => {
    const { recorder, hear, rows, state } = open();
    for (const [ms, points] of [
      [100, 5],
      [300, 9],
      [800, 2],
      [900, 4],
    ] as const)
      hear(START_MS + ms, points);
    state.nowMs = START_MS + 999;
    await recorder.flush();
    expect(rows()).toEqual([]);
    state.nowMs = START_MS + 1_000;
    await recorder.flush();
    expect(rows()).toEqual([row(START, 5, 9, 2, 4, 4)]);
  });

  test("writes a second when a later one has come, however slow the clock is", async () => {
    const { recorder, hear, rows } = open();
    hear(START_MS, 5);
    hear(START_MS + 1_000, 6);
    await recorder.flush();
    expect(rows()).toEqual([row(START, 5, 5, 5, 5, 1)]);
  });

  test("records the served source only", async () => {
    const { recorder, hear, rows, state } = open();
    hear(START_MS, 5);
    hear(START_MS + 1, 50, "b");
    state.served = "b";
    hear(START_MS + 2, 6, "a");
    hear(START_MS + 3, 7, "b");
    await recorder.finish();
    expect(rows()).toEqual([row(START, 5, 7, 5, 7, 2)]);
  });

  test("merges an update that comes late into its second, as the new close", async () => {
    const { recorder, hear, rows, openHours, state } = open();
    hear(START_MS, 5);
    hear(START_MS + 1_000, 6);
    state.nowMs += 2_000;
    await recorder.flush();
    await recorder.flush();
    hear(START_MS + 500, 9);
    hear(START_MS + 1_500, 3);
    await recorder.flush();
    expect(rows()).toEqual([row(START, 5, 9, 5, 9, 2), row(START + 1, 6, 6, 3, 3, 2)]);
    expect(openHours.readSecond("EURUSD", START)).toEqual(row(START, 5, 9, 5, 9, 2));
    expect(recorder.counts()).toMatchObject({ recorded: 4, merged: 2, repeated: 0 });
  });

  test("drops and counts what comes for a closed hour", async () => {
    const { recorder, hear, rows } = open({ closedHours: [START_MS] });
    hear(START_MS + 3_599_999, 5);
    hear(START_MS + HOUR_MS, 6);
    recorder.refuse(START_MS + HOUR_MS);
    hear(START_MS + 3_601_000, 6);
    recorder.reopen(START_MS + HOUR_MS);
    hear(START_MS + 3_602_000, 7);
    await recorder.finish();
    expect(recorder.counts().tooLate).toBe(2);
    expect(rows().map(({ second }) => second - START)).toEqual([3_600, 3_602]);
  });

  test("acknowledges nothing while the database is away, and everything once it is back", async () => {
    const { recorder, hear, rows, state, acknowledged, openHours } = open();
    state.database = "away";
    for (let second = 0; second < 100; second++) hear(START_MS + second * 1_000, second);
    await expect(recorder.flush()).rejects.toThrow("no database");
    expect(acknowledged).toEqual([]);
    expect(openHours.getHours("EURUSD")).toEqual([]);
    expect(recorder.isWaiting(START_MS)).toBe(true);
    expect(recorder.isWaiting(START_MS - HOUR_MS)).toBe(false);
    state.database = "there";
    await recorder.finish();
    expect(rows()).toHaveLength(100);
    expect(recorder.counts()).toMatchObject({ recorded: 100, dropped: 0 });
    expect(recorder.isWaiting(START_MS)).toBe(false);
  });

  test("keeps the oldest seconds when too many wait, and counts the ones it lost", async () => {
    const { recorder, hear, rows, state } = open({ maxWaiting: 10 });
    state.database = "away";
    for (let second = 0; second < 24; second++) hear(START_MS + second * 1_000, second);
    await expect(recorder.flush()).rejects.toThrow();
    state.database = "there";
    await recorder.flush();
    hear(START_MS + 24_000, 24);
    await recorder.finish();
    expect(rows().map(({ second }) => second - START)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 23, 24]);
    expect(recorder.counts().dropped).toBe(13);
  });

  test("loses a price too large to be recorded, and nothing else by it", async () => {
    const { recorder, hear, rows } = open();
    hear(START_MS, 2_147_483_648, "a", BITCOIN);
    hear(START_MS, 2_147_483_600, "a", BITCOIN);
    await recorder.finish();
    expect(rows()).toHaveLength(1);
    expect(recorder.counts().dropped).toBe(1);
  });

  test("knows how far recording has come: the clock in silence, and no further than what is heard in a rush", async () => {
    const { recorder, hear, openHours, state } = open();
    hear(START_MS + 5_400, 1);
    state.nowMs = START_MS + 60_000;
    await recorder.flush();
    expect(openHours.completeUntilMs).toBe(START_MS + 5_000);
    await recorder.flush();
    expect(openHours.completeUntilMs).toBe(START_MS + 60_000);
  });

  const update = fc.record({
    kind: fc.constant("update" as const),
    source: fc.constantFrom("a", "b"),
    offsetMs: fc.integer({ min: 0, max: 4_000 }),
    points: fc.integer({ min: 1, max: 50 }),
  });
  const step = fc.oneof(
    { weight: 6, arbitrary: update },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("clock" as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("flush" as const),
        database: fc.constantFrom("there" as const, "away" as const, "mute" as const),
      }),
    },
  );

  test("has each second once, with every update in it, whatever came between", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { recorder, hear, state, openHours, journal } = open();
        const expected = new Map<number, SecondRow>();
        for (const each of steps) {
          if (each.kind === "clock") state.nowMs += each.ms;
          if (each.kind === "flush") {
            state.database = each.database;
            await recorder.flush().catch(() => {});
            for (const held of openHours.getHours("EURUSD")) expect(held.count).toBeLessThanOrEqual(expected.size);
          }
          if (each.kind !== "update") continue;
          const { points, source } = each;
          // One source's times never run back: the intake sees to that. Two sources' may.
          const timeMs = state.nowMs + (source === "a" ? 0 : -each.offsetMs);
          const second = Math.floor(timeMs / 1000);
          const before = expected.get(second) ?? row(second, points, points, points, points, 0);
          const [high, low] = [Math.max(before.high, points), Math.min(before.low, points)];
          expected.set(second, row(second, before.open, high, low, points, before.updates + 1));
          state.served = source;
          hear(timeMs, points, source);
        }
        state.database = "there";
        await recorder.finish();
        const inOrder = (rows: Iterable<SecondRow>) => [...rows].sort((a, b) => a.second - b.second);
        expect(inOrder(journal.values())).toEqual(inOrder(expected.values()));
        for (const each of expected.values()) expect(openHours.readSecond("EURUSD", each.second)).toEqual(each);
      }),
    );
  });

  test("stores a delivery that starts over after a restart once, wherever the first was cut", async () => {
    const ticks = fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 40,
    });
    const cuts = fc.array(fc.nat(40), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(ticks, cuts, async (steps, cutsAt) => {
        let atMs = START_MS;
        const delivery = steps.map(([ms, points]) => [(atMs += ms), points] as const);
        const deliver = async (journal: Map<string, SecondRow>, until: number) => {
          const run = open({ journal });
          for (const [timeMs, points] of delivery.slice(0, until)) run.hear(timeMs, points);
          await run.recorder.finish();
          return run.rows();
        };
        const journal = new Map<string, SecondRow>();
        for (const cut of cutsAt) await deliver(journal, cut);
        const once = await deliver(new Map(), delivery.length);
        expect(await deliver(journal, delivery.length)).toEqual(once);
      }),
    );
  });

  test("counts a broker's last price, repeated when it is joined anew, as the repeat it is", async () => {
    const first = open();
    for (const points of [5, 9, 4]) first.hear(START_MS + points, points);
    await first.recorder.finish();
    const second = open({ journal: first.journal });
    second.hear(START_MS + 4, 4);
    await second.recorder.finish();
    expect(second.rows()).toEqual([row(START, 5, 9, 4, 4, 3)]);
    expect(second.recorder.counts()).toMatchObject({ recorded: 0, repeated: 1 });
  });
});
