import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListedInstruments } from "@/features/quotes/types";
import { createCatalogFollower, readInstruments } from "@/features/quotes/use-instruments";

const EURUSD = ["EURUSD", "Euro vs US Dollar", 0, 5, 0.0001, "EUR,USD"] as const;
const PEPEUSD = ["PEPEUSD", "Pepe vs US Dollar", 4, 10, 1e-9, "USD"] as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("Instruments that have not changed stay the same objects", () => {
  const [before] = readInstruments([EURUSD], []);
  const [same, added] = readInstruments([EURUSD, PEPEUSD], [before!]);
  expect(same).toBe(before);
  expect(added).toEqual({
    ...{ symbol: "PEPEUSD", name: "Pepe vs US Dollar", category: "crypto" },
    ...{ digits: 10, pipSize: 1e-9, currencies: "USD" },
  });
  expect(readInstruments([["EURUSD", "Euro", 0, 6, 0.0001, "EUR,USD"]], [before!])[0]).toMatchObject({
    name: "Euro",
    digits: 6,
  });
});

/** A server whose catalog is in the state `now`; it fails while that is null. */
function setUp() {
  const server = { now: "0-1" as string | null, loads: 0 };
  const loaded: number[] = [];
  const follower = createCatalogFollower("0-1", {
    async load(): Promise<ListedInstruments | null> {
      server.loads++;
      return server.now === null ? null : { catalog: server.now, instruments: [EURUSD, PEPEUSD] };
    },
    onLoaded: (instruments) => void loaded.push(instruments.length),
  });
  const change = (catalog: string) => {
    server.now = catalog;
    follower.follow(catalog);
  };
  return { server, loaded, follower, change };
}

test("Many changes in quick succession load the instruments a few times, and the last of them counts", async () => {
  const { server, loaded, change } = setUp();
  for (let at = 1; at <= 40; at++) {
    change(`${at}-${at}`);
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.loads).toBeLessThan(6);
  expect(loaded.length).toBe(server.loads);
  const { loads } = server;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.loads).toBe(loads);
});

test("A failed load is tried again, and nothing is loaded without a change", async () => {
  const { server, loaded, follower } = setUp();
  follower.follow("0-1");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.loads).toBe(0);
  server.now = null;
  follower.follow("1-2");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(loaded).toEqual([]);
  server.now = "1-2";
  await vi.advanceTimersByTimeAsync(2_000);
  expect(loaded).toEqual([2]);
  follower.stop();
});
