import { expect, test } from "vitest";
import { countUsedToday, createDayWindow } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { createMinuteWindow, localWindows } from "@/lib/access/admission/windows";
import { getEntitlements } from "@/lib/access/plans";
import type { Call } from "@/lib/api/engine/call";
import type { Services } from "@/lib/api/engine/services";
import { PriceStreams } from "@/lib/api/stream/price-streams";
import { NO_EVENTS } from "@/lib/api/stream/price-streams.fixture";
import { eventFormat } from "@/lib/api/stream/stream-format";
import { createUpkeep } from "@/lib/api/stream/stream-upkeep";
import { setUp, WEDNESDAY } from "@/lib/book/book.fixture";
import { instruments } from "@/lib/market/catalog";
import { MINUTE_MS } from "@/lib/time/units";

/** Streams of one key, with a clock that the test moves. */
function setUpUpkeep(limits: Partial<KeyEntry> = {}) {
  let passedMs = 0;
  const counted: string[] = [];
  const { book, now } = setUp();
  const streams = new PriceStreams({
    book,
    calendar: NO_EVENTS,
    instruments,
    marketNow: now,
    monotonic: () => passedMs,
    isStale: () => false,
  });
  const services = {
    now: () => WEDNESDAY + passedMs,
    directory: { lastSyncAtMs: Infinity },
    windows: localWindows,
    usage: {
      count: (_: unknown, path: string, status: number, credits: number) =>
        counted.push(`${path} ${status} ${credits}`),
    },
  } as unknown as Services;
  const key = {
    account: { suspended: false },
    allowList: null,
    symbols: null,
    endpoints: null,
    scopes: new Set(["all"]),
    entitlements: getEntitlements("pro", "standard"),
    expiresAtMs: Infinity,
    perMinute: 10,
    perDay: 1_000,
    ownPerDay: 1_000,
    minute: createMinuteWindow(),
    day: createDayWindow(),
    ownDay: null,
    ...limits,
  } as KeyEntry;
  const endings: string[] = [];
  const call = { address: () => null, search: "", header: () => undefined } as unknown as Call;
  const open = () => {
    const end = (reason: { code: string }) => void endings.push(reason.code);
    const stream = streams.admit({ key, call }, ["EURUSD"]);
    stream.open({ format: eventFormat, countWaiting: () => 0, write() {}, end, destroy() {} }, null);
    return stream;
  };
  const upkeep = createUpkeep(services, () => passedMs);
  const pass = async (ms: number) => {
    passedMs += ms;
    const opened = new Set(all);
    upkeep(opened);
    await Promise.resolve();
    await Promise.resolve();
  };
  const all: ReturnType<typeof open>[] = [];
  return {
    key,
    counted,
    endings,
    open: () => void all.push(open()),
    pass,
    now: services.now,
    close: () => streams.endAll(),
  };
}

test("Each further minute of a stream counts as one call and one credit", async () => {
  const { open, pass, counted, key, now, close } = setUpUpkeep();
  open();
  await pass(MINUTE_MS - 1);
  expect(counted).toEqual([]);
  await pass(1);
  await pass(1);
  expect(counted).toEqual(["/v1/stream 200 1"]);
  for (let minute = 0; minute < 5; minute++) await pass(MINUTE_MS);
  expect(counted).toHaveLength(6);
  expect(countUsedToday(key.day, now())).toBe(6);
  close();
});

test("A stream ends when the calls of the day are used up", async () => {
  const { open, pass, endings, close } = setUpUpkeep({ perDay: 2 });
  open();
  for (let minute = 0; minute < 3; minute++) await pass(MINUTE_MS);
  expect(endings).toEqual(["QUOTA_EXCEEDED"]);
  close();
});

test("A minute that the calls of the minute hold up is counted later, or the stream ends", async () => {
  const { open, pass, endings, counted, key, close } = setUpUpkeep({ perMinute: 1 });
  open();
  const useUp = () => Object.assign(key.minute, { startedAtMs: Infinity, used: 1 });
  useUp();
  await pass(MINUTE_MS);
  expect([counted, endings]).toEqual([[], []]);
  Object.assign(key.minute, createMinuteWindow());
  await pass(1_000);
  expect(counted).toHaveLength(1);
  for (let second = 0; second < 4 * 60; second++) {
    useUp();
    await pass(1_000);
  }
  expect(endings).toEqual(["RATE_LIMIT_EXCEEDED"]);
  close();
});

test("A stream ends when its key has more than its plan allows now, the newest first", async () => {
  const { open, pass, endings, key, close } = setUpUpkeep();
  for (let stream = 0; stream < 3; stream++) open();
  key.entitlements = { ...key.entitlements, streams: 2 };
  await pass(200);
  expect(endings).toEqual(["TOO_MANY_STREAMS"]);
  close();
});
