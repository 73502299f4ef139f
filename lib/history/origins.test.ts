import { afterAll, describe, expect, test } from "vitest";
import { Origins } from "@/lib/history/origins";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { acquireLease } from "@/lib/history/recording/recorder-lease";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const T = Date.UTC(2026, 0, 15, 12);

describe("the origins of the history", () => {
  const state = { fence: FIRST_FENCE };

  const open = (isFollower = false) =>
    new Origins({
      ...{ pool: testDatabase.db.pool, log: silentLog },
      readFence: () => (isFollower ? null : state.fence),
    });

  test("are stored by the process that records only", async () => {
    const standby = open(true);
    await standby.load();
    standby.note("USDJPY", "simulated", T);
    await standby.stop();
    const recorder = open();
    await recorder.load();
    expect(recorder.getLatest("USDJPY")).toBeUndefined();
  });

  test("are not stored by a process that was paused until another one recorded", async () => {
    const paused = open();
    await paused.load();
    paused.note("USDCHF", "simulated", T);
    const fence = await acquireLease(testDatabase.db.pool, "another server", true);
    await paused.stop();
    state.fence = fence as number;
    const recorder = open();
    await recorder.load();
    expect(recorder.getLatest("USDCHF")).toBeUndefined();
  });

  test("keep what was simulated marked when a real source takes over, also after a restart", async () => {
    const origins = open();
    await origins.start();
    origins.note("BTCUSD", "simulated", T);
    expect(origins.isOnly("BTCUSD", "simulated")).toBe(true);
    origins.note("BTCUSD", "live", T + HOUR_MS);
    origins.note("BTCUSD", "live", T + 2 * HOUR_MS);
    origins.note("EURUSD", "live", T);
    await origins.stop();

    const later = open(true);
    await later.load();
    for (const each of [origins, later]) {
      expect(each.getLatest("BTCUSD")).toBe("live");
      // The filled past is that of the first mode.
      expect(each.findMode("BTCUSD", T - 1_000 * HOUR_MS, T)).toBe("simulated");
      expect(each.findMode("BTCUSD", T, T + HOUR_MS + 1)).toBe("simulated");
      expect(each.findMode("BTCUSD", T + HOUR_MS, T + 2 * HOUR_MS)).toBe("live");
      expect(each.findMode("BTCUSD")).toBe("simulated");
      expect(each.findMode("EURUSD")).toBe("live");
      expect(each.findMode("GBPUSD")).toBe("live");
      expect(each.isOnly("BTCUSD", "simulated")).toBe(false);
      expect(each.isOnly("GBPUSD", "simulated")).toBe(true);
    }
  });

  test("keep the order of changes, although the clocks of sources differ", async () => {
    const origins = open();
    await origins.start();
    origins.note("XAUUSD", "live", T);
    origins.note("XAUUSD", "simulated", T + 5_000);
    origins.note("XAUUSD", "live", T + 4_000);
    await origins.stop();
    const later = open(true);
    await later.load();
    expect(later.getLatest("XAUUSD")).toBe("live");
    expect(later.findMode("XAUUSD", T + 5_000, T + 6_000)).toBe("simulated");
    expect(later.findMode("XAUUSD", T + 6_000)).toBe("live");
  });
});
