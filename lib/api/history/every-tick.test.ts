import { describe, expect, test } from "vitest";
import { type Call, parseHeaderLines } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import { parseQuery } from "@/lib/api/engine/input";
import type { Services } from "@/lib/api/engine/services";
import { ticksReply } from "@/lib/api/history/replies";
import { ticks } from "@/lib/api/history/ticks";
import { findFirstTick, sliceTape, TickList } from "@/lib/history/tapes/tape";
import type { TapeRange } from "@/lib/history/tapes/tape-history";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { HOUR_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 10, 20, 13);

/** A tick every 100 ms, of which two share each fifth moment. */
function createTape(count: number, isServed: (index: number) => boolean) {
  const list = new TickList();
  for (let i = 0; i < count; i++) {
    const timeMs = START + 100 * (i - (i % 5 === 4 ? 1 : 0)) + 7;
    const prices = { digits: 5, bid: 114_000 + i, ask: 114_012 + i };
    list.add({ ...prices, timeMs, receivedMs: timeMs + 30, isServed: isServed(i) });
  }
  return list.toTape();
}

const kept = { fromMs: START, toMs: START + 3 * HOUR_MS };
const usual: TapeRange = {
  tapes: new Map([
    ["alpha", createTape(20, (i) => i < 10)],
    ["beta", createTape(20, (i) => i >= 10)],
  ]),
  ...{ notKept: [], kept, isClosed: true },
};
const none = { ...usual, tapes: new Map() };

async function get(more: string, range: TapeRange = usual) {
  const services = {
    marketNow: () => START + 3 * HOUR_MS,
    keepDays: { ticks: 90 },
    book: { hasSource: (name: string) => name === "alpha" },
    gaps: { find: () => [] },
    resolver: createResolver(instruments),
    origins: { findMode: () => "live" },
    readTapes: async (_: unknown, { source, fromMs }: { source?: string; fromMs: number }) => {
      const tapes = [...range.tapes].filter(([name]) => source === undefined || name === source);
      const cut = tapes.map(
        ([name, tape]) => [name, sliceTape(tape, findFirstTick(tape, fromMs), tape.timesMs.length)] as const,
      );
      return { ...range, tapes: new Map(cut) };
    },
  } as unknown as Services;
  const search = `symbol=EURUSD&from=${START}&to=${START + HOUR_MS}&resolution=tick${more}`;
  const from = /&page=([^&]+)/.exec(more)?.[1];
  const { value: query } = parseQuery(
    from === undefined ? search : search.replace(`from=${START}`, `from=${from}`),
    ticks.query,
  );
  const call = { header: () => undefined } as unknown as Call;
  const handled = await ticks.handle({ query, body: null, segment: "", key: null, call, isTable: false, services });
  return {
    text: Buffer.from(handled.body).toString(),
    headers: Object.fromEntries(parseHeaderLines(handled.headers ?? "")),
    etag: handled.etag,
  };
}

const read = async (more: string, range?: TapeRange) =>
  ticksReply.parse(JSON.parse((await get(more, range)).text)).data;
const refuse = async (more: string, range: TapeRange) => {
  const error: unknown = await get(more, range).catch((thrown: unknown) => thrown);
  return error instanceof ApiError ? [error.code, error.message, error.extra] : error;
};

describe("/v1/ticks?resolution=tick", () => {
  test("answers with the served ticks of each source, with milliseconds, source and receipt", async () => {
    const data = await read("");
    expect(data).toMatchObject({ symbol: "EURUSD", resolution: "tick", count: 20, next_from: null, not_kept: [] });
    expect(data.ticks[0]).toEqual({
      ...{ time: "2026-11-20T13:00:00.007+00:00", bid: 1.14, ask: 1.14012, flags: 0 },
      ...{ source: "alpha", received: "2026-11-20T13:00:00.037+00:00" },
    });
    expect(data.ticks.map(({ source }) => source)).toEqual([...Array(10).fill("alpha"), ...Array(10).fill("beta")]);
    expect((await read("&source=beta")).ticks.map(({ source }) => source)).toEqual(Array(20).fill("beta"));
  });

  test("answers page by page, without splitting a millisecond", async () => {
    const whole = (await read("")).ticks;
    for (const limit of [1, 3, 4, 7, 19, 20]) {
      const found: typeof whole = [];
      let from: string | null = `${START}`;
      while (from !== null) {
        const page: Awaited<ReturnType<typeof read>> = await read(
          `&limit=${limit}&page=${from.replace("+00:00", "Z")}`,
        );
        found.push(...page.ticks);
        from = page.next_from ?? null;
      }
      expect(found).toEqual(whole);
    }
    expect((await get("&limit=4")).headers).toEqual({ "X-Next-From": "2026-11-20T13:00:00.507+00:00" });
  });

  test("answers as CSV with the same rows", async () => {
    const { text, headers } = await get("&format=csv&source=alpha&limit=2");
    expect(text.split("\r\n")).toEqual([
      "time,bid,ask,flags,source,received",
      "2026-11-20T13:00:00.007+00:00,1.14,1.14012,0,alpha,2026-11-20T13:00:00.037+00:00",
      "2026-11-20T13:00:00.107+00:00,1.14001,1.14013,0,alpha,2026-11-20T13:00:00.137+00:00",
      "",
    ]);
    expect(headers["X-Next-From"]).toBe("2026-11-20T13:00:00.207+00:00");
  });

  test("has an entity tag once nothing is added any more", async () => {
    expect((await get("")).etag).toBeDefined();
    expect((await get("", { ...usual, isClosed: false })).etag).toBeUndefined();
  });

  test("refuses a symbol whose ticks are not kept, and a range before they were, with the time since when", async () => {
    expect(await refuse("", { ...none, kept: null })).toEqual([
      "DATA_NOT_FOUND",
      "Not every tick of EURUSD is kept: the server's setting SPOTLINE_KEEP_TICKS names the symbols of which every tick is kept. Without resolution=tick, the seconds are answered.",
      {},
    ]);
    const later = { fromMs: START + 2 * HOUR_MS, toMs: START + 3 * HOUR_MS };
    const range = { ...none, kept: later, notKept: [{ fromMs: START, toMs: START + HOUR_MS }] };
    expect(await refuse("", range)).toEqual([
      "DATA_NOT_FOUND",
      expect.stringContaining("from 2026-11-20T15:00:00.000+00:00 to 2026-11-20T16:00:00.000+00:00"),
      { kept_from: "2026-11-20T15:00:00.000+00:00", kept_until: "2026-11-20T16:00:00.000+00:00" },
    ]);
    expect(await refuse("&source=nobody", none)).toContain("SOURCE_NOT_FOUND");
    // A quiet time in which ticks were kept.
    expect(await read("", none)).toMatchObject({ count: 0, ticks: [] });
    const part = { ...usual, notKept: [{ fromMs: START + 5_000, toMs: START + 9_500 }] };
    expect((await read("", part)).not_kept).toEqual([
      { from: "2026-11-20T13:00:05.000+00:00", to: "2026-11-20T13:00:09.500+00:00" },
    ]);
  });

  test("has parameters of its own, which seconds refuse", () => {
    const messages = (more: string) => {
      try {
        parseQuery(`symbol=EURUSD&from=${START}&to=${START + HOUR_MS}${more}`, ticks.query);
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(messages("&source=alpha")).toMatch("source is for resolution=tick");
    expect(messages("&limit=5&resolution=1s")).toMatch("limit is for resolution=tick");
    expect(messages("&resolution=tick&include=gaps")).toMatch("include is for seconds");
    expect(messages("&resolution=tick&limit=50001")).not.toBe("");
    expect(messages("&resolution=2s")).not.toBe("");
  });
});
