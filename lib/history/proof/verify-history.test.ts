import { createHash } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { importText } from "@/lib/history/import/import.fixture";
import { noteHeads } from "@/lib/history/proof/day-heads";
import { clearHistory, createSeconds, recordHour, START, verify } from "@/lib/history/proof/history.fixture";
import { CHAIN_START, hashHour, hashLink } from "@/lib/history/proof/hour-hash";
import { verifyHistory } from "@/lib/history/proof/verify-history";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { decodeHour, encodeHour, type HourTicks } from "@/lib/history/ticks/hour-block";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const HOUR = START / HOUR_MS;

describe("the proofs of a history", () => {
  const getPool = () => testDatabase.db.pool;

  beforeEach(async () => {
    await clearHistory(getPool());
    for (const hour of [0, 1, 2]) await recordHour(getPool(), START + hour * HOUR_MS, ["EURUSD", "USDJPY"]);
  });

  const readBlock = async (hour: number): Promise<Buffer> => {
    const { rows } = await getPool().query<{ block: Buffer }>(
      "SELECT block FROM tick_hour WHERE symbol = 'EURUSD' AND hour = $1",
      [hour],
    );
    return rows[0]?.block as Buffer;
  };
  const writeBlock = (hour: number, block: Buffer) =>
    getPool().query("UPDATE tick_hour SET block = $2 WHERE symbol = 'EURUSD' AND hour = $1", [hour, block]);
  /** Changes the ticks of an hour behind the server's back. */
  const tamper = async (hour: number, change: (ticks: HourTicks) => HourTicks) =>
    writeBlock(hour, encodeHour(change(decodeHour(await readBlock(hour)))));
  const find = async () => {
    const { findings } = await verify(getPool());
    return findings.map(({ kind: what, symbol, at, message }) => `${what} ${symbol} ${at}: ${message}`);
  };

  test("What was recorded is found as it was written", async () => {
    const verdict = await verify(getPool());
    expect(verdict).toMatchObject({ found: 0, hours: 6, ticks: 6 * 30 * 59, unhashed: 0, removed: 0 });
    expect(verdict.causes).toEqual([{ cause: { kind: "recorded" }, hours: 6 }]);
  });

  test("A bar that is not of its seconds or minutes is found", async () => {
    const { bars } = await verify(getPool());
    expect(bars).toBe(2 * 3 * (30 + 12 + 4 + 2 + 1));
    const raise = (timeframe: number, column: string, time: number) =>
      getPool().query(
        `UPDATE bar SET ${column} = ${column} + 1 WHERE symbol = 'EURUSD' AND timeframe = $1 AND time = $2`,
        [timeframe, time],
      );
    const start = START / 1_000;
    for (const changed of [
      [60, "close", start],
      [1, "close", start + 120],
      [1, "low", start + 240],
      [5, "volume", start + 600],
    ] as [number, string, number][])
      await raise(...changed);
    expect((await find()).map((each) => each.split(":").slice(0, 3).join(":"))).toEqual([
      "bar EURUSD 2026-11-20T13:02: The M1 bar is not of its seconds",
      "bar EURUSD 2026-11-20T13:04: The M1 bar is not of its seconds",
      "bar EURUSD 2026-11-20T13:10: The M5 bar is not of its minutes",
      "bar EURUSD 2026-11-20T13:00: The H1 bar is not of its minutes",
    ]);
  });

  test("The hash of an hour is that of a text which other programs can make", async () => {
    const lines = createSeconds("EURUSD", START, HOUR).map(({ second, bid, ask }) => {
      return `${second % 3600} ${Number((bid / 1e5).toFixed(5))} ${Number((ask / 1e5).toFixed(5))}\n`;
    });
    const expected = createHash("sha256")
      .update(`EURUSD 2026-11-20T13\n${lines.join("")}`)
      .digest();
    const { rows } = await getPool().query(
      "SELECT seq, content, link, at FROM hour_proof WHERE symbol = 'EURUSD' AND hour = $1",
      [HOUR],
    );
    expect(rows).toMatchObject([{ seq: 1, content: expected }]);
    const [first] = rows as { at: number; link: Buffer }[];
    const text = `${"0".repeat(64)}\n1 EURUSD 2026-11-20T13 1770 ${expected.toString("hex")} ${first?.at}\n{"kind":"recorded"}\n\n`;
    expect(first?.link).toEqual(createHash("sha256").update(text).digest());
  });

  test("A changed price is found, with the minute that has it", async () => {
    await tamper(HOUR + 1, (ticks) => ({ ...ticks, bid: ticks.bid.with(3 * 59 + 4, 108_999), ask: ticks.ask }));
    expect(await find()).toEqual([
      expect.stringMatching(
        /^changed EURUSD 2026-11-20T14: .*recorded on .*: as many seconds as before, a difference in minute 06\.$/,
      ),
    ]);
  });

  test("A removed second is found, and so is an added one", async () => {
    await tamper(HOUR, ({ digits, seconds, bid, ask }) => ({
      ...{ digits, seconds: seconds.slice(1), bid: bid.slice(1), ask: ask.slice(1) },
    }));
    await tamper(HOUR + 2, ({ digits, seconds, bid, ask }) => ({
      digits,
      seconds: Uint16Array.of(...seconds, 3_599),
      bid: Int32Array.of(...bid, 108_000),
      ask: Int32Array.of(...ask, 108_011),
    }));
    expect(await find()).toEqual([
      expect.stringMatching(/^changed EURUSD 2026-11-20T13: .*: 1 second missing, a difference in minute 00\.$/),
      expect.stringMatching(/^changed EURUSD 2026-11-20T15: .*: 1 second added, a difference in minute 59\.$/),
    ]);
  });

  test("Any flipped bit of a block is found", async () => {
    const block = await readBlock(HOUR);
    for (let at = 0; at < block.length; at += 97) {
      const flipped = Buffer.from(block);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      await writeBlock(HOUR, flipped);
      expect(await find(), `byte ${at}`).toEqual([expect.stringMatching(/^(changed|damaged) EURUSD 2026-11-20T13/)]);
    }
  });

  test("Two swapped hours are found, each with the hour that it has now", async () => {
    const [one, other] = [await readBlock(HOUR), await readBlock(HOUR + 1)];
    await writeBlock(HOUR, other);
    await writeBlock(HOUR + 1, one);
    expect(await find()).toEqual([
      "changed EURUSD 2026-11-20T13: The hour has the seconds of 2026-11-20T14.",
      "changed EURUSD 2026-11-20T14: The hour has the seconds of 2026-11-20T13.",
    ]);
  });

  test("An hour that is gone is found, and so is one that no writer has written", async () => {
    await getPool().query("DELETE FROM tick_hour WHERE hour = $1 AND symbol = 'USDJPY'", [HOUR]);
    await getPool().query("UPDATE tick_hour SET hour = hour + 24 WHERE hour = $1", [HOUR + 2]);
    expect(await find()).toEqual([
      expect.stringMatching(/^missing EURUSD 2026-11-20T15: The hour is missing: it had 1770 seconds/),
      expect.stringMatching(/^missing USDJPY 2026-11-20T13/),
      expect.stringMatching(/^missing USDJPY 2026-11-20T15/),
      "added EURUSD 2026-11-21T15: The hour has no hash: it was added to the database.",
      "added USDJPY 2026-11-21T15: The hour has no hash: it was added to the database.",
    ]);
  });

  test("A block of before an import, put back, is found as the older version", async () => {
    const recorded = await readBlock(HOUR);
    const name = "eurusd.csv";
    await importText(getPool(), name, `time,bid,ask\n${START + 61_000},1.07,1.0702\n`, { untilMs: START + HOUR_MS });
    expect(await find()).toEqual([]);
    expect((await verify(getPool())).causes).toContainEqual({
      cause: { kind: "imported", source: "csv", file: name, run: null, sha256: expect.any(String) as string },
      hours: 1,
    });
    await writeBlock(HOUR, recorded);
    expect(await find()).toEqual([
      expect.stringMatching(
        /^changed EURUSD 2026-11-20T13: The hour was set back to an older version \(recorded on .*\); the newest is imported from eurusd\.csv on /,
      ),
    ]);
  });

  test("A link that was changed or removed is found", async () => {
    await getPool().query("UPDATE hour_proof SET at = at - 60 WHERE symbol = 'USDJPY' AND hour = $1", [HOUR + 1]);
    await getPool().query("DELETE FROM hour_proof WHERE symbol = 'EURUSD' AND hour = $1", [HOUR + 1]);
    expect(await find()).toEqual([
      "chain EURUSD 2026-11-20: Link 2 of the chain of 2026-11-20 is missing.",
      "added EURUSD 2026-11-20T14: The hour has no hash: it was added to the database.",
      "chain USDJPY 2026-11-20T14: Link 2 of the chain of 2026-11-20 does not fit: it, or a link before it, was changed.",
    ]);
  });

  test("A chain that was computed anew with its hours does not fit the head of its day", async () => {
    await noteHeads(getPool(), FIRST_FENCE, START + 4 * HOUR_MS);
    expect(await find()).toEqual([]);
    await tamper(HOUR, (ticks) => ({ ...ticks, bid: ticks.bid.with(0, 108_999) }));
    let previous: Buffer = CHAIN_START;
    for (const seq of [1, 2, 3]) {
      const hourMs = START + (seq - 1) * HOUR_MS;
      const hash = hashHour("EURUSD", hourMs, decodeHour(await readBlock(hourMs / HOUR_MS)));
      const { rows } = await getPool().query<{ at: number }>(
        "SELECT at FROM hour_proof WHERE symbol = 'EURUSD' AND seq = $1",
        [seq],
      );
      const texts = { cause: '{"kind":"recorded"}', origins: "" };
      previous = hashLink(previous, { seq, symbol: "EURUSD", hourMs, at: rows[0]?.at ?? 0, ...hash, ...texts });
      await getPool().query(
        "UPDATE hour_proof SET content = $2, minutes = $3, link = $4 WHERE symbol = 'EURUSD' AND seq = $1",
        [seq, hash.content, hash.minutes, previous],
      );
    }
    // The bars still tell of the seconds that were there.
    expect(await find()).toEqual([
      expect.stringMatching(/^bar EURUSD 2026-11-20T13:00: The M1 bar is not of its seconds/),
      expect.stringMatching(
        /^head null 2026-11-20: The hashes of 2026-11-20 are not those of 2026-11-20T17:00:00.000Z/,
      ),
    ]);
  });

  test("A range and some symbols can be checked alone", async () => {
    await tamper(HOUR, (ticks) => ({ ...ticks, bid: ticks.bid.with(0, 108_999) }));
    const common = { pool: getPool(), keptFromMs: 0, copies: [] };
    const day = { fromMs: START, toMs: START + HOUR_MS };
    expect(await verifyHistory({ ...common, ...day, symbols: ["USDJPY"] })).toMatchObject({ found: 0, hours: 3 });
    expect(await verifyHistory({ ...common, ...day, symbols: ["EURUSD"] })).toMatchObject({ found: 1, hours: 3 });
    const later = { fromMs: START + 24 * HOUR_MS, toMs: START + 48 * HOUR_MS };
    expect(await verifyHistory({ ...common, ...later, symbols: null })).toMatchObject({ found: 0, hours: 0 });
  });

  test("Hours that retention has removed are not missing", async () => {
    await getPool().query("DELETE FROM tick_hour WHERE hour < $1", [HOUR + 1]);
    expect(await verify(getPool(), [], START + HOUR_MS)).toMatchObject({ found: 0, removed: 2, hours: 4 });
    expect(await verify(getPool())).toMatchObject({ found: 2 });
  });
});
