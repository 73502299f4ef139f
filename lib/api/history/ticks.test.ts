import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Call, parseHeaderLines } from "@/lib/api/engine/call";
import { parseQuery } from "@/lib/api/engine/input";
import type { Services } from "@/lib/api/engine/services";
import { ticksReply } from "@/lib/api/history/replies";
import { ticks } from "@/lib/api/history/ticks";
import type { SourceGap } from "@/lib/feeds/feed";
import { createHourColumns, writeSecond } from "@/lib/history/hour-columns";
import { toTicks } from "@/lib/history/ticks/hour-block";
import { toKey } from "@/lib/history/ticks/ready-hours";
import { TickHistory } from "@/lib/history/ticks/tick-history";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { HOUR_MS } from "@/lib/time/units";

/** These tests need closed hours, which a server that has just started does not have. */

const START = Date.UTC(2026, 10, 20, 13);

/** EURUSD has a tick in every third second of two hours, and GBPUSD of fifteen seconds in each. */
const readHour = (symbol: string, hourMs: number) => {
  const hour = createHourColumns(symbol, 5, hourMs);
  if (hourMs < START || hourMs > START + HOUR_MS) return null;
  for (let second = 0; second < (symbol === "EURUSD" ? 3_600 : 15); second += 3) {
    const prices = { digits: 5, bid: 114_000 + second, ask: 114_012 + second, open: 1, high: 1, low: 1 };
    writeSecond(hour, { symbol, second: hourMs / 1000 + second, ...prices, updates: 1 });
  }
  return toTicks(hour);
};
const readHours = async (hours: readonly { symbol: string; hourMs: number }[]) =>
  new Map(
    hours.flatMap(({ symbol, hourMs }) => {
      const hour = readHour(symbol, hourMs);
      return hour === null ? [] : [[toKey(symbol, hourMs), hour] as const];
    }),
  );
const openHours = { getHours: () => [], getRevision: () => 0, completeUntilMs: START + 2 * HOUR_MS };
const sourceGaps: SourceGap[] = [];
const FILE = { kind: "imported", source: "mine", file: "prix, été.csv", sha256: "a".repeat(64), run: null } as const;
/** The second hour was recorded, and half a minute of it imported later. */
const readOrigins = () => {
  const parts = [
    { second: 0, cause: { kind: "recorded" as const }, writtenAtMs: START + 2 * HOUR_MS },
    { second: 60, cause: FILE, writtenAtMs: START + 5 * HOUR_MS },
    { second: 120, cause: { kind: "recorded" as const }, writtenAtMs: START + 2 * HOUR_MS },
  ];
  return Promise.resolve((_: string, hour: number) => (hour === (START + HOUR_MS) / HOUR_MS ? parts : []));
};
const services = {
  marketNow: () => START + 3 * HOUR_MS,
  keepDays: { ticks: 90 },
  gaps: { find: () => sourceGaps },
  resolver: createResolver(instruments),
  origins: { findMode: (_: string, fromMs: number) => (fromMs < START + HOUR_MS ? "replay" : "live") },
  history: { ticks: new TickHistory({ openHours, readHours }), readOrigins },
} as unknown as Services;

async function get(search: string, headers: Readonly<Record<string, string>> = {}) {
  const call = { header: (name: string) => headers[name], accept: headers.accept } as Call;
  const { value: query } = parseQuery(search, ticks.query);
  const handled = await ticks.handle({ query, body: null, segment: "", key: null, call, isTable: false, services });
  const sent = Object.fromEntries(parseHeaderLines(handled.headers ?? ""));
  const bytes = typeof handled.body === "string" ? Buffer.from(handled.body) : Buffer.from(handled.body);
  const text = (handled.coding === "gzip" ? gunzipSync(bytes) : bytes).toString();
  return { text, sent, contentType: handled.contentType, coding: handled.coding };
}

const range = (fromMs: number, toMs: number, more = "") =>
  `symbol=EURUSD&from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}${more}`;

function readData({ text }: { text: string }) {
  return ticksReply.parse(JSON.parse(text)).data;
}

describe("/v1/ticks", () => {
  test("answers a whole closed hour with the same text from the database, from memory and as gzip", async () => {
    const hour = range(START, START + HOUR_MS);
    const cold = await get(hour);
    expect(readData(cold)).toMatchObject({ symbol: "EURUSD", count: 1_200 });
    expect(cold.sent).toEqual({
      "X-Coverage": "1200/3600",
      "X-Data-Mode": "replay",
    });
    const warm = await get(hour, { "accept-encoding": "br" });
    expect(warm).toEqual(cold);
    const packed = await get(hour, { "accept-encoding": "gzip, br" });
    expect(packed.coding).toBe("gzip");
    expect(packed.text).toBe(cold.text);
    expect(await get(hour, { "accept-encoding": "gzip" })).toEqual(packed);
  });

  test("does not compress an hour that is too short for it", async () => {
    const hour = range(START, START + HOUR_MS).replace("EURUSD", "GBPUSD");
    const short = await get(hour, { "accept-encoding": "gzip" });
    expect([readData(short).count, short.coding]).toEqual([5, undefined]);
  });

  test("marks the ticks that it answers, not the range that was requested", async () => {
    const second = START + HOUR_MS;
    expect((await get(range(second - 4_000, second + 1_000))).sent["X-Data-Mode"]).toBe("replay");
    expect((await get(range(second - 1_000, second + 1_000))).sent["X-Data-Mode"]).toBeUndefined();
  });

  test("answers a part of an hour, and a range over two hours, with the same ticks", async () => {
    const whole = readData(await get(range(START, START + HOUR_MS))).ticks;
    const next = readData(await get(range(START + HOUR_MS, START + 2 * HOUR_MS))).ticks;
    const over = await get(range(START + 1_800_000, START + HOUR_MS + 1_800_000), { "accept-encoding": "gzip" });
    expect(readData(over).ticks).toEqual([...whole.slice(600), ...next.slice(0, 600)]);
    expect(over.coding).toBeUndefined();
    expect(readData(await get(range(START + 3_000, START + 3_001))).ticks).toEqual([whole[1]]);
    expect(readData(await get(range(START + 3_001, START + 6_000)))).toEqual({ symbol: "EURUSD", ticks: [], count: 0 });
  });

  test("lists the gaps with include=gaps, and counts the seconds that were not recorded", async () => {
    const partial = await get(range(START, START + 8_000, "&include=gaps"));
    expect(partial.sent["X-Coverage"]).toBe("3/8");
    expect(readData(partial).gaps).toEqual([
      { from: "2026-11-20T13:00:01+00:00", to: "2026-11-20T13:00:03+00:00", seconds: 2 },
      { from: "2026-11-20T13:00:04+00:00", to: "2026-11-20T13:00:06+00:00", seconds: 2 },
      { from: "2026-11-20T13:00:07+00:00", to: "2026-11-20T13:00:08+00:00", seconds: 1 },
    ]);
    const none = await get(range(START - HOUR_MS, START, "&include=gaps"));
    expect(none.sent["X-Coverage"]).toBe("0/3600");
    expect(readData(none)).toMatchObject({ count: 0, gaps: [{ seconds: 3_600 }] });
    const ahead = await get(range(START + 2 * HOUR_MS, START + 3 * HOUR_MS, "&include=gaps"));
    expect(ahead.sent["X-Coverage"]).toBe("0/0");
    expect(readData(ahead).gaps).toEqual([]);
  });

  test("marks the time for which a source's prices are lost, and changes no other answer", async () => {
    const before = await get(range(START, START + HOUR_MS));
    const reason = "disconnected" as const;
    sourceGaps.push({ source: "kraken", fromMs: START + 1_500, toMs: START + 9_100, reason });
    const marked = await get(range(START, START + HOUR_MS), { "accept-encoding": "gzip" });
    sourceGaps.length = 0;
    const data = readData(marked);
    expect(data.source_gaps).toEqual([
      { from: "2026-11-20T13:00:01+00:00", to: "2026-11-20T13:00:10+00:00", source: "kraken", reason },
    ]);
    expect(data.ticks).toEqual(readData(before).ticks);
    expect(before.text).not.toContain("source_gaps");
    expect(await get(range(START, START + HOUR_MS))).toEqual(before);
  });

  test("answers CSV with a header line if the parameter or the Accept header requests it", async () => {
    const table = await get(range(START, START + 4_000, "&format=csv"));
    expect(table.text).toBe(
      "time,bid,ask,flags\r\n2026-11-20T13:00:00+00:00,1.14,1.14012,0\r\n2026-11-20T13:00:03+00:00,1.14003,1.14015,0\r\n",
    );
    expect(table.contentType).toBe("text/csv; charset=utf-8; header=present");
    expect(table.sent["Content-Disposition"]).toBe(
      'attachment; filename="EURUSD-ticks-20261120T130000Z-20261120T130004Z.csv"',
    );
    expect(await get(range(START, START + 4_000), { accept: "text/csv" })).toEqual(table);
  });

  test("tells of each tick how it came where that is asked for", async () => {
    const asked = range(START + HOUR_MS - 4_000, START + HOUR_MS + 126_000, "&include=origin");
    const { ticks: rows, origins, gaps } = readData(await get(asked));
    expect(origins).toEqual([
      { id: 1, kind: "recorded", mode: "replay", written_at: null },
      { id: 2, kind: "recorded", mode: "live", written_at: "2026-11-20T15:00:00+00:00" },
      {
        ...{ id: 3, kind: "imported", mode: "live", written_at: "2026-11-20T18:00:00+00:00" },
        ...{ source: "mine", file: "prix, été.csv", sha256: "a".repeat(64), import: null },
      },
    ]);
    expect(rows.map(({ origin }) => origin)).toEqual([
      1,
      ...Array<number>(20).fill(2),
      ...Array<number>(20).fill(3),
      2,
      2,
    ]);
    expect(gaps).toBeUndefined();
    expect(readData(await get(asked.replace("include=origin", "include=gaps,origin"))).gaps).toHaveLength(44);
    const plain = readData(await get(asked.replace("&include=origin", "")));
    expect(rows.map(({ origin: _, ...row }) => row)).toEqual(plain.ticks);
  });

  test("has a column with the origin in CSV", async () => {
    const asked = range(START + HOUR_MS + 57_000, START + HOUR_MS + 61_000, "&format=csv&include=origin");
    expect((await get(asked)).text.split("\r\n")).toEqual([
      "time,bid,ask,flags,origin",
      "2026-11-20T14:00:57+00:00,1.14057,1.14069,0,recorded",
      `2026-11-20T14:01:00+00:00,1.1406,1.14072,0,"imported mine prix, été.csv ${"a".repeat(64)}"`,
      "",
    ]);
  });
});
