import { describe, expect, test } from "vitest";
import type { Aliases } from "@/lib/feeds/intake-source";
import { openIntake } from "@/lib/feeds/intake.fixture";

describe("the intake, when its sources change", () => {
  test("knows the aliases of a source for that source only", () => {
    const { intake, quotes, send } = openIntake();
    const aliases = { XTEST: "GER40", EURUSD: "USDJPY" };
    intake.setSources([{ name: "a" }, { name: "b", aliases }], new Set());
    expect(send({ brokerSymbol: "XTEST" })).toBe("unknown_symbol");
    expect(send({ source: "b", brokerSymbol: "XTEST", bid: 18_000, ask: 18_001 })).toBeNull();
    expect(send({ source: "b", bid: 150, ask: 150.01 })).toBeNull();
    expect(quotes.map(({ instrument }) => instrument.symbol)).toEqual(["GER40", "USDJPY"]);
    expect(send({ source: "b", brokerSymbol: "constructor" })).toBe("unknown_symbol");
  });

  test("follows a change of the aliases at once, and goes on counting", () => {
    const { intake, quotes, send } = openIntake();
    const gold = { brokerSymbol: "XTEST", bid: 4_100, ask: 4_101 };
    const change = (aliases: Aliases) => [...intake.setAliases([{ name: "a", aliases }, { name: "unknown" }])];
    expect(send(gold)).toBe("unknown_symbol");
    expect(intake.source("a")?.listUnresolved()).toEqual(["XTEST"]);
    expect(change({ XTEST: "XAUUSD" })).toEqual([]);
    expect(send(gold)).toBeNull();
    expect(intake.source("a")?.listUnresolved()).toEqual([]);
    expect(intake.counts()).toMatchObject({ accepted: 1, refused: { unknown_symbol: 1 } });
    // The level of the wrong instrument is forgotten with the alias.
    expect(change({ XTEST: "EURUSD" })).toEqual(["a"]);
    expect(send(gold)).toBeNull();
    expect(change({})).toEqual(["a"]);
    expect(send(gold)).toBe("unknown_symbol");
    expect(send({ brokerSymbol: "EURUSD", bid: 1.1, ask: 1.1001 })).toBeNull();
    expect(quotes.map(({ instrument }) => instrument.symbol)).toEqual(["XAUUSD", "EURUSD", "EURUSD"]);
    expect(change({})).toEqual([]);
  });

  test("does not compare a new source with the prices of one that it replaces", () => {
    const { intake, send } = openIntake();
    expect(send({ brokerSymbol: "BTCUSD", bid: 60_000, ask: 60_001 })).toBeNull();
    intake.setSources([{ name: "b" }], new Set());
    expect(intake.counts().sources.map(({ source }) => source)).toEqual(["b"]);
    expect(send({ source: "b", brokerSymbol: "BTCUSD", bid: 108_000, ask: 108_001 })).toBeNull();
  });
});
