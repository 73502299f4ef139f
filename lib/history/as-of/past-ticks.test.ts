import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PastReader, PastSeconds } from "@/lib/history/as-of/past-changes";
import { PastTicks } from "@/lib/history/as-of/past-ticks";
import { TickList } from "@/lib/history/tapes/tape";
import { encodeTape } from "@/lib/history/tapes/tape-block";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const database = await openTestDatabase();
afterAll(() => database.cleanup());

/** A Wednesday. */
const START = Date.parse("2026-03-04T10:00:00Z") / 1_000;
const HOURS = 2;

describe("Recorded seconds with every tick", () => {
  /** When each tick was received, in their order. */
  const all: number[] = [];
  beforeAll(async () => {
    for (let hour = 0; hour < HOURS; hour++) {
      const hourMs = START * 1_000 + hour * HOUR_MS;
      const list = new TickList();
      for (let ms = 0; ms < HOUR_MS; ms += 700) {
        const receivedMs = hourMs + ms + 120;
        list.add({
          digits: 5,
          bid: 108_000 + (ms % 31),
          ask: 108_040,
          timeMs: hourMs + ms,
          receivedMs,
          isServed: true,
        });
        all.push(receivedMs);
      }
      const row = ["EURUSD", hourMs / HOUR_MS, "alpha", 0, list.count, encodeTape(hourMs, list.toTape())];
      await database.db.pool.query("INSERT INTO tape_hour VALUES ($1, $2, $3, $4, $5, $6)", row);
    }
    const until = START * 1_000 + HOURS * HOUR_MS;
    await database.db.pool.query("INSERT INTO tape_run (since, until, kept) VALUES (0, $1, '{EURUSD}')", [until]);
  });

  /** Reads all ticks from parts of 50 seconds. `nowMs` is the market's time after the end of what is stored. */
  async function read({ maxTicks, afterMs = 60_000 }: { maxTicks?: number; afterMs?: number } = {}) {
    let largest = 0;
    const end = START + HOURS * 3_600;
    const changes: PastReader = {
      async *read(from, to) {
        for (let since = from; since < to; since += 50) {
          const none = { isWhole: false, groups: [], unnamedMode: null };
          yield { since, until: Math.min(end, since + 50), ...none } satisfies PastSeconds;
        }
      },
      find: async () => null,
    };
    const { pool } = database.db;
    const ticks = new PastTicks({
      ...{ changes, marketNow: () => end * 1_000 + afterMs, read: (work) => work(pool) },
      ...(maxTicks === undefined ? {} : { maxTicks }),
    });
    const received: number[] = [];
    let until = START;
    for await (const part of ticks.read(START, end, ["EURUSD"])) {
      expect(part.since).toBe(until);
      ({ until } = part);
      for (const { tape } of part.ticks ?? []) {
        received.push(...tape.receivedMs);
        largest = Math.max(largest, tape.receivedMs.buffer.byteLength / 8);
        const [first = Infinity, last = 0] = [tape.receivedMs[0], tape.receivedMs.at(-1)];
        expect(first >= part.since * 1_000 && last < part.until * 1_000).toBe(true);
      }
    }
    return { received, until, largest };
  }

  test("have each tick once, in the part of its receipt, with no more in memory than are read at once.", async () => {
    const whole = await read();
    expect(whole.received).toEqual(all);
    expect(whole.largest).toBeGreaterThan(5_000);
    const small = await read({ maxTicks: 600 });
    expect(small.received).toEqual(all);
    expect(small.largest).toBeLessThan(700);
  });

  test("end a second before what is stored while ticks are recorded, so that none is missed.", async () => {
    const { received, until } = await read({ afterMs: 900 });
    const end = START + HOURS * 3_600 - 1;
    expect(until).toBe(end);
    expect(received).toEqual(all.filter((ms) => ms < end * 1_000));
  });
});
