import { describe, expect, test } from "vitest";
import { toFeedRow } from "@/features/feeds/data";
import { summariseFeeds } from "@/features/feeds/feeds-view";
import { formatDelay, formatRate, joinAliasId, splitAliasId } from "@/features/feeds/format";
import type { SourceSettings } from "@/lib/access/source-control";
import { createSourceCounts } from "@/lib/feeds/intake-source";
import type { SourceState } from "@/lib/feeds/set/source-state";

const T = Date.UTC(2026, 0, 15, 12);
const NOTHING: SourceSettings = { paused: new Map(), aliases: new Map(), reloads: 0 };
const PAUSED: SourceSettings = { ...NOTHING, paused: new Map([["kraken", T]]) };

function state(changes: Partial<SourceState> = {}): SourceState {
  return {
    ...createSourceCounts("kraken"),
    ...{ kind: "kraken", mode: "live", health: "ok", lastMinute: 118, expectedPerMinute: 120 },
    ...{
      clockOffsetMs: 35,
      latencyMs: 60,
      unresolved: [],
      seconds: [],
      lastError: null,
      gaps: { count: 0, latest: [] },
    },
    ...{ accepted: 1_000, lastTickAtMs: T - 400, status: "connected", connectedSinceMs: T - 90_000 },
    ...changes,
  };
}
const shape = (changes: Partial<SourceState> = {}, settings = NOTHING) => toFeedRow(state(changes), settings, T);
const refused = (changes: Partial<SourceState["refused"]>) => ({ ...createSourceCounts("").refused, ...changes });

describe("the line of a source", () => {
  test("has its own state while what operators want of it cannot be read", () => {
    const shapeAlone = (health: SourceState["health"]) => toFeedRow(state({ health }), null, T).condition;
    expect([shapeAlone("ok"), shapeAlone("paused")]).toEqual(["ok", "paused"]);
  });

  test("is ok only where everything holds", () => {
    expect(shape()).toMatchObject({ condition: "ok", concerns: [], ageMs: 400, connectedForMs: 90_000 });
    expect(shape({ clockOffsetMs: -7_000 })).toMatchObject({ condition: "check", concerns: ["Its clock is 7s ahead"] });
    expect(shape({ lastTickAtMs: T - 180_000 }).concerns).toEqual(["No tick for 3m 00s"]);
    expect(shape({ lastTickAtMs: null }).concerns).toEqual(["No tick yet"]);
    expect(shape({ unresolved: ["XAU"] }).concerns).toEqual(["1 spelling names no symbol"]);
    expect(shape({ unresolved: ["XTESTSYMBOL"], mode: "simulated" })).toMatchObject({ condition: "ok", concerns: [] });
    expect(shape({ refused: refused({ crossed: 9 }) }).concerns).toEqual([]);
    expect(shape({ refused: refused({ crossed: 250 }) }).concerns).toEqual(["20% of its ticks were refused"]);
    expect(shape({ refused: refused({ duplicate: 5_000 }) })).toMatchObject({ condition: "ok" });
    expect(shape({ health: "slow" })).toMatchObject({ condition: "slow" });
    expect(shape({ health: "closed", lastTickAtMs: T - 9e6 })).toMatchObject({ condition: "closed", concerns: [] });
  });

  test("says why there is no connection", () => {
    const down = { health: "down", connectedSinceMs: null, status: "disconnected" } as const;
    expect(shape({ ...down, statusDetail: "no route" })).toMatchObject({
      condition: "down",
      concerns: ["No connection: no route"],
      connection: "disconnected: no route",
      connectedForMs: null,
    });
    expect(shape({ ...down, lastError: "HTTP 403" }).concerns).toEqual(["HTTP 403"]);
    expect(shape({ ...down, status: null })).toMatchObject({
      concerns: ["No connection"],
      connection: "not connected yet",
    });
  });

  test("shows what an operator wants before the server has reported it", () => {
    expect(shape({}, PAUSED).condition).toBe("pausing");
    expect(shape({ health: "paused", unresolved: ["XAU"] }, PAUSED)).toMatchObject({
      condition: "paused",
      concerns: [],
    });
    expect(shape({ health: "paused" }).condition).toBe("resuming");
    const aliases = new Map([["kraken", { XTEST: "EURUSD" }]]);
    const { unresolved, aliases: own } = shape({ unresolved: ["XTEST", "EURUSDD"] }, { ...NOTHING, aliases });
    expect(own).toEqual([{ spelling: "XTEST", symbol: "EURUSD" }]);
    expect(unresolved.map(({ spelling }) => spelling)).toEqual(["EURUSDD"]);
    expect(unresolved[0]?.candidates).toContain("EURUSD");
    expect(unresolved[0]?.candidates.length).toBeLessThanOrEqual(3);
  });

  test("lists refused ticks, most frequent reason and newest first, whatever the source sent as numbers", () => {
    const tick = { brokerSymbol: "EURUSD", bid: 1.2, ask: 1.1, brokerTimeMs: T, receivedAtMs: T };
    // A value that is no number becomes null between the processes.
    const broken = { ...tick, bid: null as unknown as number, ask: NaN, brokerTimeMs: 1e300 };
    const samples = { crossed: [tick, { ...tick, bid: 1.3 }], non_finite: [broken] };
    const { refusals } = shape({ refused: refused({ crossed: 2, non_finite: 7 }), samples });
    expect(refusals.map(({ reason, count }) => [reason, count])).toEqual([
      ["non_finite", 7],
      ["crossed", 2],
    ]);
    expect(refusals[0]?.samples).toEqual([{ spelling: "EURUSD", bid: null, ask: null, timeMs: null }]);
    expect(refusals[1]?.samples.map(({ bid }) => bid)).toEqual([1.3, 1.2]);
  });
});

test("Figures are short texts", () => {
  expect([35, -250, 1_240, 125_000, null].map(formatDelay)).toEqual(["35 ms", "−250 ms", "1.2 s", "2m 05s", "–"]);
  expect(formatRate({ lastMinute: 1_118, expectedPerMinute: 1_200 })).toBe("1,118 of 1,200");
  expect(formatRate({ lastMinute: 3, expectedPerMinute: null })).toBe("3");
  const feeds = (["ok", "down", "ok", "check"] as const).map((condition) => ({ condition }));
  expect(summariseFeeds(feeds)).toBe("4 sources: 1 down, 1 to check, 2 ok");
});

test("The id of a form holds a source and any spelling", () => {
  for (const spelling of ["EUR/USD", "/", "x y"]) {
    expect(splitAliasId(joinAliasId("kraken-2", spelling))).toEqual({ source: "kraken-2", spelling });
  }
  expect(splitAliasId("kraken")).toEqual({ source: "kraken", spelling: null });
});
