import { describe, expect, test } from "vitest";
import type { Aliases } from "@/lib/feeds/intake-source";
import { openIntake, T } from "@/lib/feeds/intake.fixture";
import { dropInstruments, putInstruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { type Logger, silentLog } from "@/lib/platform/log/log";

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
    expect(intake.source("a")?.listUnresolved(9)).toEqual(["XTEST"]);
    expect(change({ XTEST: "XAUUSD" })).toEqual([]);
    expect(send(gold)).toBeNull();
    expect(intake.source("a")?.listUnresolved(9)).toEqual([]);
    expect(intake.counts()).toMatchObject({ accepted: 1, refused: { unknown_symbol: 1 } });
    // The level of the wrong instrument is forgotten with the alias.
    expect(change({ XTEST: "EURUSD" })).toEqual(["a XAUUSD"]);
    expect(send(gold)).toBeNull();
    expect(change({})).toEqual(["a EURUSD"]);
    expect(send(gold)).toBe("unknown_symbol");
    expect(send({ brokerSymbol: "EURUSD", bid: 1.1, ask: 1.1001 })).toBeNull();
    expect(quotes.map(({ instrument }) => instrument.symbol)).toEqual(["XAUUSD", "EURUSD", "EURUSD"]);
    expect(change({})).toEqual([]);
  });

  test("quotes only the surest of several spellings of one instrument that all come", () => {
    const { intake, quotes, send } = openIntake();
    const plain = () => send({ brokerSymbol: "EURUSD", bid: 1.101, ask: 1.1011 });
    expect(send({ brokerSymbol: "EURUSD.r" })).toBeNull();
    expect(send({ brokerSymbol: "EURUSDm" })).toBe("second_spelling");
    expect(plain()).toBeNull();
    expect(send({ brokerSymbol: "EURUSD.r" })).toBe("second_spelling");
    expect(send({ source: "b", brokerSymbol: "EURUSD.r" })).toBeNull();
    expect(intake.source("a")?.listUnresolved(9)).toEqual([]);
    expect(intake.source("a")?.listSeconds(9)).toEqual([
      { spelling: "EURUSDm", symbol: "EURUSD", quoted: "EURUSD", leftAtMs: null },
      { spelling: "EURUSD.r", symbol: "EURUSD", quoted: "EURUSD", leftAtMs: null },
    ]);
    // An alias is what somebody wants.
    expect([...intake.setAliases([{ name: "a", aliases: { EURUSDm: "EURUSD" } }])]).toEqual([]);
    expect(send({ brokerSymbol: "EURUSDm" })).toBeNull();
    expect(plain()).toBe("second_spelling");
    expect([...intake.setAliases([{ name: "a", aliases: {} }])]).toEqual(["a EURUSD"]);
    expect(send({ brokerSymbol: "EURUSD.r" })).toBeNull();
    expect(plain()).toBeNull();
    expect(quotes.filter(({ source }) => source === "a")).toHaveLength(5);
  });

  test("gives the place of a spelling to the one that comes in its place, and back to a surer one", () => {
    const { intake, quotes, send } = openIntake();
    const seconds = () => intake.source("a")?.listSeconds(9);
    expect(send({ brokerSymbol: "EURUSD" })).toBeNull();
    // The terminal has signed in to another account, and lists its symbols in two pieces.
    intake.source("a")?.list(["GBPUSD.raw"], T + 1_500);
    intake.source("a")?.list(["EURUSD.raw"], T + 1_900);
    expect(send({ brokerSymbol: "EURUSD.raw", bid: 1.1002, ask: 1.101 })).toBeNull();
    expect(seconds()).toEqual([{ spelling: "EURUSD", symbol: "EURUSD", quoted: "EURUSD.raw", leftAtMs: T + 2_000 }]);
    expect(send({ brokerSymbol: "EURUSDm" })).toBe("second_spelling");
    expect(send({ brokerSymbol: "EURUSD", bid: 1.1003, ask: 1.101 })).toBeNull();
    expect(send({ brokerSymbol: "EURUSD.raw", bid: 1.1004, ask: 1.101 })).toBe("second_spelling");
    expect(seconds()?.map(({ leftAtMs }) => leftAtMs)).toEqual([null, null]);
    expect(quotes.map(({ bid }) => bid)).toEqual([1.1, 1.1002, 1.1003]);
  });

  test("keeps a spelling that its source still lists, or whose silence is short, before one that is less sure", () => {
    const { intake, send } = openIntake();
    expect(send({ brokerSymbol: "EURUSD" })).toBeNull();
    intake.source("a")?.list(["EURUSD", "EURUSDm"], T + 1_500);
    const other = (brokerTimeMs: number) =>
      send({ brokerSymbol: "EURUSDm", bid: 1.1 + (brokerTimeMs % 7) / 1e4, ask: 1.101, brokerTimeMs });
    for (let i = 0; i < 58; i++) expect(other(T + 2_000 + i * 1_000)).toBe("second_spelling");
    expect(send({ brokerSymbol: "EURUSD", brokerTimeMs: T + 60_500 })).toBeNull();
    // A minute without it, in which the other came nine times.
    for (let i = 0; i < 9; i++) expect(other(T + 150_000 + i)).toBe("second_spelling");
    expect(other(T + 151_000)).toBeNull();
    expect(intake.source("a")?.listSeconds(9)).toMatchObject([
      { spelling: "EURUSD", quoted: "EURUSDm", leftAtMs: T + 151_000 },
    ]);
  });

  test("logs the first odd spellings of a source, each once, and quotes the others as before", () => {
    const lines: [string | undefined, string][] = [];
    const log = {
      ...silentLog,
      info: ({ spelling }: { spelling?: string }, message: string) => lines.push([spelling, message]),
    } as unknown as Logger;
    const { intake, quotes, send } = openIntake(catalogResolver, log);
    const second = (i: number) =>
      `EURUSD${i.toString(4).replaceAll(/\d/g, (digit) => "+#!^"[Number(digit)] as string)}`;
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 1_200; i++) {
        expect(send({ brokerSymbol: `JUNK-${i}` })).toBe("unknown_symbol");
        expect(send({ brokerSymbol: "EURUSD", bid: 1.1 + (i % 2) / 1e4, ask: 1.1002 })).toBeNull();
        expect(send({ brokerSymbol: second(i) })).toBe("second_spelling");
      }
      // Spellings are read anew.
      expect([...intake.followCatalog()]).toEqual([]);
    }
    expect(quotes).toHaveLength(2_400);
    const first = (name: (i: number) => string) => Array.from({ length: 20 }, (_, i) => name(i));
    expect(lines.flatMap(([spelling]) => spelling ?? []).toSorted()).toEqual(
      [...first((i) => `JUNK-${i}`), ...first(second)].toSorted(),
    );
    expect(lines.filter(([, message]) => message.endsWith("further ones are not logged"))).toHaveLength(2);
    expect(lines).toHaveLength(42);
  });

  test("follows the catalog: spellings are read anew, and the quotes of what is gone are named", () => {
    const { intake, quotes, send } = openIntake(catalogResolver);
    const own = { ...(catalogResolver.find("EURUSD") as Instrument), symbol: "EURUSD.R", aliases: [] };
    expect(send({ brokerSymbol: "EURUSD.r" })).toBeNull();
    expect(send({ brokerSymbol: "NEWTHING" })).toBe("unknown_symbol");
    putInstruments([own, { ...own, symbol: "NEWTHING" }]);
    try {
      expect([...intake.followCatalog()]).toEqual(["a EURUSD"]);
      expect(send({ brokerSymbol: "NEWTHING" })).toBeNull();
      expect(send({ brokerSymbol: "EURUSD.r" })).toBeNull();
      expect(send({ brokerSymbol: "EURUSD" })).toBeNull();
    } finally {
      dropInstruments(["EURUSD.R", "NEWTHING"]);
    }
    expect([...intake.followCatalog()]).toEqual(["a NEWTHING", "a EURUSD.R"]);
    expect(send({ brokerSymbol: "NEWTHING" })).toBe("unknown_symbol");
    expect(quotes.map(({ instrument }) => instrument.symbol)).toEqual(["EURUSD", "NEWTHING", "EURUSD.R", "EURUSD"]);
  });

  test("does not compare a new source with the prices of one that it replaces", () => {
    const { intake, send } = openIntake();
    expect(send({ brokerSymbol: "BTCUSD", bid: 60_000, ask: 60_001 })).toBeNull();
    intake.setSources([{ name: "b" }], new Set());
    expect(intake.counts().sources.map(({ source }) => source)).toEqual(["b"]);
    expect(send({ source: "b", brokerSymbol: "BTCUSD", bid: 108_000, ask: 108_001 })).toBeNull();
  });
});
