import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dropInstruments, instrumentBySymbol, instruments, putInstruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { describeNewInstrument } from "@/lib/market/new-instrument";
import { createResolver, isSpelling, MAX_CALLER_SPELLING_LENGTH } from "@/lib/market/resolver";
import { anyCharacter } from "@/lib/text/any-text.fixture";
import { manyRuns } from "@/lib/text/property-runs.fixture";

const resolver = createResolver(instruments);
const resolved = (spelling: string) => {
  const resolution = resolver.resolve(spelling);
  return resolution.kind === "found" ? `${resolution.instrument.symbol} by ${resolution.rule}` : resolution.kind;
};
const suggestions = (spelling: string) => {
  const resolution = resolver.resolve(spelling);
  return resolution.kind === "unknown" ? resolution.suggestions : undefined;
};

describe("the spellings of brokers and vendors", () => {
  test.each([
    ["EURUSD", "EURUSD by exact"],
    ["eurusd", "EURUSD by case"],
    ["EUR/USD", "EURUSD by separator"],
    ["EUR_USD", "EURUSD by separator"],
    ["EUR-USD", "EURUSD by separator"],
    ["EUR USD", "EURUSD by separator"],
    [" EURUSD ", "EURUSD by separator"],
    ["BTC/USD", "BTCUSD by separator"],
    ["GOLD", "XAUUSD by alias"],
    ["gold", "XAUUSD by alias"],
    ["DE40", "GER40 by alias"],
    ["S&P500", "US500 by alias"],
    ["US Natural Gas", "NATGAS by alias"],
    ["USA500.IDX-USD", "US500 by alias"],
    ["LIGHT.CMD-USD", "USOIL by alias"],
    ["DEU.IDX-EUR", "GER40 by alias"],
    ["NAT.GAS", "NATGAS by separator"],
    ["C:EURUSD", "EURUSD by vendor"],
    ["OANDA:EUR_USD", "EURUSD by vendor"],
    ["OANDA:US30_USD", "US30 by vendor"],
    ["US30_USD", "US30 by vendor"],
    ["WTICO_USD", "USOIL by vendor"],
    ["BCO_USD", "UKOIL by alias"],
    ["TVC:GOLD", "XAUUSD by vendor"],
    ["NYSE:V", "V by vendor"],
    ["EURUSD:QUOTE", "EURUSD by vendor"],
    ["EURUSD=X", "EURUSD by vendor"],
    ["frxEURUSD", "EURUSD by vendor"],
    ["cryBTCUSD", "BTCUSD by vendor"],
    ["AAPL.US", "AAPL by vendor"],
    ["AAPL.US-USD", "AAPL by vendor"],
    ["AAPL_CFD.US", "AAPL by vendor"],
    ["V.US", "V by vendor"],
    ["SAP.DE-EUR", "SAP.DE by vendor"],
    ["EURUSDm", "EURUSD by decoration"],
    ["eurusdm", "EURUSD by decoration"],
    ["EURUSD.r", "EURUSD by decoration"],
    ["EUR/USD.r", "EURUSD by decoration"],
    ["EURUSD.FOREX", "EURUSD by decoration"],
    ["EURUSD.vip", "EURUSD by decoration"],
    ["EURUSD.£", "EURUSD by decoration"],
    ["EURUSD.pro", "EURUSD by decoration"],
    ["GBPUSDmicro", "GBPUSD by decoration"],
    ["USDCADc", "USDCAD by decoration"],
    ["BTCUSDm", "BTCUSD by decoration"],
    ["XAUUSD-", "XAUUSD by decoration"],
    ["XAUUSD.a", "XAUUSD by decoration"],
    ["GOLDmicro", "XAUUSD by decoration"],
    ["US30.cash", "US30 by decoration"],
    ["US30Cash", "US30 by decoration"],
    ["BRENTCash", "UKOIL by decoration"],
    [".US500Cash", "US500 by decoration"],
    ["UK100Roll", "UK100 by decoration"],
    ["XAUUSD.sd", "XAUUSD by decoration"],
    ["BTCUSD.lv", "BTCUSD by decoration"],
    ["GER40.i", "GER40 by decoration"],
    ["m.EURUSD", "EURUSD by decoration"],
    ["#AAPL", "AAPL by decoration"],
    ["#V", "V by decoration"],
    ["AAPLm", "AAPL by decoration"],
    ["#Japan225", "JP225 by decoration"],
    ["#US30m", "US30 by decoration"],
  ])("%s is %s", (spelling, expected) => {
    expect(resolved(spelling)).toBe(expected);
    expect(resolver.find(spelling)?.symbol).toBe(expected.split(" ")[0]);
  });

  test("Every canonical symbol resolves to itself, and every synonym to its instrument", () => {
    for (const { symbol, aliases } of instruments) {
      expect(resolved(symbol)).toBe(`${symbol} by exact`);
      for (const alias of aliases.filter((name) => name !== "OIL")) expect(resolver.find(alias)?.symbol).toBe(symbol);
    }
  });
});

describe("spellings of other instruments", () => {
  test.each([
    ["BTCUSDT", "Bitcoin in Tether"],
    ["BTCUSDC", "Bitcoin in USD Coin"],
    ["BTCUSDR", "Bitcoin in another dollar coin"],
    ["ETHEURI", "Ether in a euro coin"],
    ["SPXUSD", "a coin on some exchanges"],
    ["btc-usdc", "the same, in small letters"],
    ["BTC-USDc", "the same, bridged"],
    ["EURUSDC", "euros in USD Coin"],
    ["BINANCE:BTCUSDT", "an exchange's Tether pair"],
    ["USDCADC", "not a small letter, not a pair"],
    ["NYSE:GOLD", "a mining company"],
    ["#GOLD", "the same company"],
    ["#DOW", "a chemical company"],
    ["#GOLDm", "the company, decorated"],
    ["DOW.US", "the chemical company, in New York"],
    ["XETR:AAPL", "Apple in euros"],
    ["SAP", "an American receipt as well as a German share"],
    ["SAP.US", "the American receipt"],
    ["AAPL.DE", "Apple in Frankfurt"],
    ["AAPLM", "another ticker"],
    ["BAC-A", "a preferred share"],
    ["GOOGL.B", "another class of share"],
    ["Vm", "a letter too many for one letter"],
    ["V.a", "a class of share"],
    ["V-", "too short to lose anything"],
    ["B-A", "not Boeing"],
    ["DAXk", "the price index, not the performance index"],
    ["GOLDMINI", "another contract"],
    ["US30_EUR", "in another currency"],
    ["SAP.DE-USD", "in another currency"],
    ["JPY", "a currency, not a pair"],
    ["E\u017fP35", "a long s is no S"],
    ["EURUSD\u0000", "a NUL is no decoration"],
    ["ЕURUSD", "a Cyrillic letter is no Latin one"],
  ])("%s stays unknown: %s", (spelling) => {
    expect(resolved(spelling)).toBe("unknown");
    expect(resolver.find(spelling)).toBeUndefined();
  });

  test("A reversed pair is suggested, not inverted", () => {
    expect(suggestions("USDEUR")?.[0]).toBe("EURUSD");
    expect(suggestions("jpy/usd")?.[0]).toBe("USDJPY");
  });

  test("A name that brokers use for two instruments is ambiguous, decorated or not", () => {
    for (const spelling of ["OIL", "oil", "OIL.r", "OIL+"]) {
      expect(resolver.resolve(spelling)).toEqual({ kind: "ambiguous", candidates: ["USOIL", "UKOIL"] });
      expect(resolver.find(spelling)).toBeUndefined();
    }
  });
});

describe("texts that could be spellings", () => {
  test("are all symbols, all synonyms and the forms of brokers and vendors", () => {
    const names = instruments.flatMap(({ symbol, aliases }) => [symbol, ...aliases]);
    const forms = [
      " EURUSD ",
      "EURUSD.£",
      "XAUUSD-",
      "#US30m",
      "@AAPL",
      "EURUSD=X",
      "OANDA:EUR_USD",
      "EURUSD+",
      "NOPE",
    ];
    expect([...names, ...forms].filter((text) => !isSpelling(text))).toEqual([]);
  });

  test.each(["EUR$USD", "<script>", "EURUSD'", "ЕURUSD", "EURUSD\u0000", "a".repeat(MAX_CALLER_SPELLING_LENGTH + 1)])(
    "are not %j",
    (text) => expect(isSpelling(text)).toBe(false),
  );
});

describe("suggestions", () => {
  test.each([
    ["EURUSDT", "EURUSD"],
    ["BTCUSDT", "BTCUSD"],
    ["EURUSD.unheard-of", "EURUSD"],
    ["EURSUD", "EURUSD"],
    ["GPBUSD", "GBPUSD"],
    ["XAUSD", "XAUUSD"],
    ["APPL", "AAPL"],
    ["SAP", "SAP.DE"],
    ["GER41", "GER40"],
  ])("For %s, %s is suggested", (spelling, near) => {
    expect(suggestions(spelling)).toContain(near);
    expect(suggestions(spelling)?.length).toBeLessThanOrEqual(3);
  });

  test("A name that is near no instrument has no suggestions", () => {
    expect(suggestions("QQQQQQQQ")).toEqual([]);
    expect(suggestions("")).toEqual([]);
    expect(suggestions("\u20ac\u20ac\u20ac")).toEqual([]);
  });
});

describe("hostile text", () => {
  test.each([["__proto__"], ["constructor"], ["toString"], ["hasOwnProperty"], [""], [" "], ["."], ["#"], ["\ud800"]])(
    "%j is unknown",
    (spelling) => {
      expect(resolver.resolve(spelling).kind).toBe("unknown");
      expect(resolver.find(spelling)).toBeUndefined();
    },
  );

  test("A megabyte of text is unknown, with any beginning", () => {
    for (const part of ["EURUSD", "-", "a.", ":", "#", "\ud800", " "]) {
      const huge = part.repeat(1_000_000 / part.length);
      expect(resolver.resolve(huge).kind).toBe("unknown");
      expect(resolver.find(huge)).toBeUndefined();
    }
  });

  test("Any text has a result, the same each time and the same from both functions", () => {
    const near = fc
      .tuple(
        fc.constantFrom(...instruments.map(({ symbol }) => symbol)),
        fc.string({ maxLength: 6, unit: anyCharacter }),
      )
      .map(([symbol, tail]) => symbol + tail);
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 80, unit: anyCharacter }), near), (spelling) => {
        const resolution = resolver.resolve(spelling);
        const symbol = resolution.kind === "found" ? resolution.instrument.symbol : undefined;
        expect(resolver.find(spelling)?.symbol).toBe(symbol);
        expect(resolver.find(spelling)?.symbol).toBe(symbol);
      }),
      { numRuns: manyRuns(2_000) },
    );
  });

  test("More spellings than the cache holds do not change results", () => {
    for (let n = 0; n < 12_000; n++) {
      const spelling = `EURUSD${[...n.toString(3)].map((digit) => "+-!".charAt(Number(digit))).join("")}`;
      expect(resolver.find(spelling)?.symbol).toBe("EURUSD");
    }
    expect(resolver.find("EURUSD+")?.symbol).toBe("EURUSD");
  });
});

test("An instrument that joins the catalog is found in its spellings at once, until it is removed.", () => {
  const find = (spelling: string) => catalogResolver.find(spelling)?.symbol;
  const made = ["COFFEE", "TSM"].flatMap(
    (spelling) => describeNewInstrument({ spelling, digits: 2 })?.instrument ?? [],
  );
  const spellings = ["COFFEE", "coffee", "TSM.US", "#Kaffee+"];
  const before = spellings.map(find);
  try {
    putInstruments(made.map((each) => (each.symbol === "COFFEE" ? { ...each, aliases: ["#Kaffee+"] } : each)));
    expect(spellings.map(find)).toEqual(["COFFEE", "COFFEE", "TSM", "COFFEE"]);
    const coffee = instrumentBySymbol.get("COFFEE");
    putInstruments([{ ...(coffee as NonNullable<typeof coffee>), digits: 3, aliases: [] }]);
    expect(instrumentBySymbol.get("COFFEE")).toBe(coffee);
    expect([coffee?.digits, find("#Kaffee+")]).toEqual([3, undefined]);
  } finally {
    dropInstruments(["COFFEE", "TSM"]);
  }
  expect(spellings.map(find)).toEqual(before);
  expect(before).toEqual(spellings.map(() => undefined));
});
