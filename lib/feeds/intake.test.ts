import { describe, expect, test } from "vitest";
import { openIntake, resolver, T } from "@/lib/feeds/intake.fixture";
import { HOUR_MS } from "@/lib/time/units";

describe("the intake", () => {
  test("passes on a good tick under its canonical instrument, without binary noise, with its own times", () => {
    const { send, quotes } = openIntake();
    send({
      brokerSymbol: "EUR/USD",
      bid: 1.3865500000000002,
      ask: 1.38666 + 4e-16,
      brokerTimeMs: T + 0.75,
      receivedAtMs: T + 9,
    });
    expect(quotes).toEqual([
      {
        source: "a",
        instrument: resolver.find("EURUSD"),
        bid: 1.38655,
        ask: 1.38666,
        timeMs: T,
        receivedAtMs: T + 9,
      },
    ]);
  });

  test("keeps the digits that a source sends, up to ten, and raises those of the instrument to them for good", () => {
    const { send, quotes } = openIntake();
    const instrument = resolver.find("DOGEUSD");
    const tick = { brokerSymbol: "DOGEUSD", bid: 0.1234567, ask: 0.1234571 };
    expect(instrument?.digits).toBe(5);
    send({ ...tick, bid: 0.1, ask: 0.3 });
    expect(instrument?.digits).toBe(5);
    send(tick);
    expect(instrument?.digits).toBe(7);
    send({ ...tick, bid: 0.12345678919, ask: 0.1234568 });
    send({ ...tick, bid: 0.1234, ask: 0.1235 });
    expect(instrument?.digits).toBe(10);
    expect(quotes.map(({ bid, ask }) => [bid, ask])).toEqual([
      [0.1234567, 0.1234571],
      [0.1234567892, 0.1234568],
      [0.1234, 0.1235],
    ]);
  });

  test("refuses a crossed tick, and accepts one whose bid equals its ask", () => {
    const { send } = openIntake();
    expect(send({ bid: 1.10001, ask: 1.1 })).toBe("crossed");
    expect(send({ bid: 1.1, ask: 1.1 })).toBeNull();
  });

  test("accepts a tick whose bid is above its ask only by binary noise", () => {
    const { send, quotes } = openIntake();
    expect(send({ bid: 1.1 + 4e-16, ask: 1.1 })).toBeNull();
    expect(quotes[0]).toMatchObject({ bid: 1.1, ask: 1.1 });
  });

  test.each([
    [{ bid: NaN }, "non_finite"],
    [{ ask: Infinity }, "non_finite"],
    [{ bid: 1e308, ask: 1e308 }, "non_finite"],
    [{ brokerTimeMs: NaN }, "non_finite"],
    [{ bid: 0 }, "non_positive"],
    [{ bid: -1.1, ask: -1 }, "non_positive"],
    [{ bid: 1e-11 }, "non_positive"],
    [{ bid: 0.000001 }, "far_off"],
    [{ brokerTimeMs: 0 }, "non_positive"],
    [{ brokerSymbol: "NOSUCHTHING" }, "unknown_symbol"],
    [{ brokerSymbol: "USDEUR" }, "unknown_symbol"],
    [{ brokerSymbol: "X".repeat(1_000_000) }, "unknown_symbol"],
    [{ brokerSymbol: "OIL" }, "ambiguous_symbol"],
    [{ brokerTimeMs: T + 60_001, receivedAtMs: T }, "future"],
    [{ receivedAtMs: NaN }, "non_finite"],
    [{ bid: 1, ask: 1.2 }, "far_off"],
  ] as const)("refuses %j as %s", (tick, reason) => {
    const { send, quotes } = openIntake();
    expect(send(tick)).toBe(reason);
    expect(quotes).toEqual([]);
  });

  test("refuses a tick older than the last one of its source and symbol", () => {
    const { send } = openIntake();
    expect(send({ brokerTimeMs: T + 5_000 })).toBeNull();
    expect(send({ brokerTimeMs: T + 4_999 })).toBe("late");
    expect(send({ brokerTimeMs: T + 4_999, source: "b" })).toBeNull();
    expect(send({ brokerTimeMs: T + 4_999, brokerSymbol: "GBPUSD", bid: 1.3, ask: 1.3001 })).toBeNull();
  });

  test("dates no tick more than a second after its receipt, so that the next ones are not late", () => {
    const { send, quotes } = openIntake();
    for (let second = 0; second < 5; second++) send({});
    const receivedAtMs = T + 6_000;
    expect(send({ brokerTimeMs: receivedAtMs + 59_000, receivedAtMs, ask: 1.1002 })).toBeNull();
    expect(quotes.at(-1)?.timeMs).toBe(receivedAtMs + 1_000);
    const later = Array.from({ length: 70 }, () => send({}));
    expect(later).toEqual(later.map(() => null));
    expect(quotes.at(-1)?.timeMs).toBe(T + 76_000);
  });

  test("accepts earlier times again after the clock was set back", () => {
    const { intake, send } = openIntake();
    send({ brokerTimeMs: T + HOUR_MS });
    expect(send({ brokerTimeMs: T + 1 })).toBe("late");
    intake.forgetTimes();
    expect(send({ brokerTimeMs: T + 2 })).toBeNull();
    expect(send({ brokerTimeMs: T + 1 })).toBe("late");
  });

  test("refuses a repeated tick, but accepts two prices of one moment", () => {
    const { send } = openIntake();
    expect(send({ brokerTimeMs: T })).toBeNull();
    expect(send({ brokerTimeMs: T })).toBe("duplicate");
    expect(send({ brokerTimeMs: T, ask: 1.1002 })).toBeNull();
    expect(send({})).toBeNull();
  });

  test("refuses a price far from the source's last, and accepts the new level once it is repeated", () => {
    const { send } = openIntake();
    send({ brokerSymbol: "EURCHF", bid: 1.2009, ask: 1.201 });
    const drop = [1.05, 1.02, 0.99, 1.01].map((bid) => send({ brokerSymbol: "EURCHF", bid, ask: bid + 0.005 }));
    expect(drop).toEqual(["far_off", "far_off", "far_off", "far_off"]);
    expect(send({ brokerSymbol: "EURCHF", bid: 1.015, ask: 1.02 })).toBeNull();
    expect(send({ brokerSymbol: "EURCHF", bid: 1.2, ask: 1.201 })).toBe("far_off");
  });

  test("refuses a wrong level that comes and goes", () => {
    const { send } = openIntake();
    send({});
    for (let i = 0; i < 20; i++) {
      expect(send({ bid: 11, ask: 11.001 })).toBe("far_off");
      if (i % 3 === 0) expect(send({})).toBeNull();
    }
  });

  test("compares a source's first price with those of the other sources", () => {
    const { send } = openIntake();
    send({ source: "a" });
    expect(send({ source: "b", bid: 110, ask: 110.01 })).toBe("far_off");
    expect(send({ source: "b", bid: 1.101, ask: 1.1011 })).toBeNull();
  });

  test("accepts a plausible spread at once after implausible ones", () => {
    const { send } = openIntake();
    for (let i = 0; i < 9; i++) expect(send({ bid: 0.9, ask: 1.3 })).toBe("far_off");
    expect(send({})).toBeNull();
  });

  test("counts by source and reason, with each source's connection and last good tick", () => {
    const { intake, send } = openIntake();
    intake.status("a", "connected");
    send({ bid: 2, ask: 1 });
    expect(intake.counts().sources[0]).toMatchObject({ source: "a", accepted: 0, lastTickAtMs: null });
    send({ brokerTimeMs: T + 50_000 });
    send({ source: "b", ask: NaN });
    const { accepted, refused, sources } = intake.counts();
    expect(accepted).toBe(1);
    expect([refused.crossed, refused.non_finite]).toEqual([1, 1]);
    expect(sources).toMatchObject([
      {
        source: "a",
        accepted: 1,
        refused: { crossed: 1, non_finite: 0 },
        lastTickAtMs: T + 50_000,
        status: "connected",
      },
      { source: "b", accepted: 0, refused: { crossed: 0, non_finite: 1 }, lastTickAtMs: null, status: null },
    ]);
    expect(sources[0]?.statusAtMs).toBe(T);
  });

  test("keeps the last few refused ticks of each reason, and the spellings without an instrument", () => {
    const { intake, send } = openIntake();
    for (let at = 1; at <= 7; at++) send({ bid: 2, ask: 1, brokerTimeMs: T + at });
    send({ brokerSymbol: "XTEST", bid: NaN });
    const samples = intake.counts().sources[0]?.samples;
    expect(samples?.crossed?.map(({ brokerTimeMs }) => brokerTimeMs - T)).toEqual([3, 4, 5, 6, 7]);
    expect(samples?.crossed?.[0]).toMatchObject({ brokerSymbol: "EURUSD", bid: 2, ask: 1 });
    expect(samples?.unknown_symbol).toHaveLength(1);
    expect(intake.source("a")?.listUnresolved(9)).toEqual(["XTEST"]);
  });

  test("counts connections after an interruption, but not the reports of one that lasts", () => {
    const { intake } = openIntake();
    const report = (...statuses: Parameters<typeof intake.status>[1][]) => {
      for (const status of statuses) intake.status("a", status);
      const { connectedSinceMs, reconnections } = intake.counts().sources[0] ?? {};
      return [connectedSinceMs, reconnections];
    };
    expect(report("connected", "connected")).toEqual([T, 0]);
    expect(report("disconnected")).toEqual([null, 0]);
    expect(report("connected")).toEqual([T, 1]);
  });

  test("never makes a price younger by a snapshot that has the venue's time", () => {
    const { send, quotes } = openIntake();
    expect(send({ brokerTimeMs: T })).toBeNull();
    // The venue sends its last price again to a new connection, an hour later.
    expect(send({ brokerTimeMs: T, receivedAtMs: T + HOUR_MS })).toBe("duplicate");
    expect(send({ brokerTimeMs: T - 1_000, receivedAtMs: T + HOUR_MS })).toBe("late");
    expect(quotes.at(-1)?.timeMs).toBe(T);
  });

  test("caches a bounded number of spellings, and still finds the good ones after many unknown ones", () => {
    let resolutions = 0;
    const { send } = openIntake({
      ...resolver,
      resolve: (spelling) => {
        resolutions++;
        return resolver.resolve(spelling);
      },
    });
    for (let i = 0; i < 10_100; i++) send({ brokerSymbol: `JUNK-${i}` });
    expect(send({ brokerSymbol: "EURUSDm" })).toBeNull();
    resolutions = 0;
    send({ brokerSymbol: "EURUSDm" });
    send({ brokerSymbol: "JUNK-1" });
    expect(resolutions).toBe(0);
    send({ brokerSymbol: "JUNK-10099" });
    expect(resolutions).toBe(1);
  });
});
