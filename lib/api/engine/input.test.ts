import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { calendar } from "@/lib/api/calendar/calendar";
import type { Call } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { parseBody, parseQuery, readInput } from "@/lib/api/engine/input";
import {
  boundedParam,
  flagParam,
  repetitions,
  timeframeParam,
  timeParam,
  wholeParam,
  wordParam,
} from "@/lib/api/engine/params";
import { ohlc } from "@/lib/api/history/ohlc";
import { indicator } from "@/lib/api/indicators/indicator";
import { quotes } from "@/lib/api/quotes/quote";
import { stream } from "@/lib/api/stream/stream";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { anyCharacter } from "@/lib/text/any-text.fixture";
import { DAY_MS } from "@/lib/time/units";

/** Reads a body from memory that is used again for the next call. */
const memory = Buffer.alloc(1_000);
function read(text: string) {
  const body = memory.subarray(0, memory.write(text));
  const call = {
    path: "/v1/quotes",
    search: "",
    body,
    header: (name: string) => (name === "content-type" ? "application/json" : undefined),
  };
  return readInput(call as unknown as Call, quotes as Endpoint, "").body;
}

test("A body that is repeated is parsed once, and one that differs in a byte or in its length is another", () => {
  const first = read('{"symbols":["EURUSD"]}');
  expect(first).toEqual({ symbols: ["EURUSD"] });
  expect(read('{"symbols":["EURUSD"]}')).toBe(first);
  expect(read('{"symbols":["EURUSE"]}')).toEqual({ symbols: ["EURUSE"] });
  expect(read('{"symbols":["EURUSD"]} ')).toEqual({ symbols: ["EURUSD"] });
  expect(read('{"symbols":["EURUSD"]}')).toBe(first);
  expect(() => read('{"symbols":["EURUSD"]')).toThrow("JSON");
  expect(() => read('{"symbols":["EURUSD"]')).toThrow("JSON");
  expect(read('{"symbols":["EURUSD"]}')).toBe(first);
});

const schema = z.object({
  symbol: z.string().min(1, "must not be empty"),
  limit: wholeParam(1, 500).default(100),
  all: flagParam.default(false),
});

describe("parseQuery", () => {
  test("decodes names and values, and fills in defaults", () => {
    expect(parseQuery("s%79mbol=EUR%2FUSD&limit=7&all=TRUE", schema).value).toEqual({
      symbol: "EUR/USD",
      limit: 7,
      all: true,
    });
    expect(parseQuery("symbol=a+b", schema).value).toEqual({ symbol: "a b", limit: 100, all: false });
  });

  test.each([
    ["", "symbol is required"],
    ["symbol", "symbol must not be empty"],
    ["symbol=a&s%79mbol=b", "symbol must be given only once"],
    ["symbol=a&limit=", "limit must be a whole number from 1 to 500"],
    ["symbol=a&limit=1e2", "limit must be a whole number from 1 to 500"],
    ["symbol=a&limit=+5", "limit must be a whole number from 1 to 500"],
    ["symbol=a&limit=0x10", "limit must be a whole number from 1 to 500"],
    ["symbol=a&limit=501", "limit must be a whole number from 1 to 500"],
    ["symbol=%", "the query string is not valid percent-encoded UTF-8"],
  ])("refuses %j with %j", (search, message) => {
    expect(() => parseQuery(search, schema)).toThrow(new ApiError("VALIDATION_ERROR", message));
  });

  test("lists unknown parameters, percent-encoded for a header", () => {
    expect(parseQuery("symbol=a&x=1&%0d%0ay=2&__proto__=3&x=4", schema).ignored).toBe("x, %0D%0Ay, __proto__");
  });

  test.each([
    ["Symbol=EURUSD", "Symbol is not known here. Use symbol"],
    ["symbol[]=EURUSD&symbol[]=GBPUSD", "symbol[] is not known here. Use symbol"],
    ["symbols=EURUSD", "symbols is not known here. Use symbol"],
    ["instrument=EUR_USD", "instrument is not known here. Use symbol"],
    ["symbol=EURUSD&count=3", "count is not known here. Use limit"],
    ["symbol=EURUSD&format=csv", "format is not known here: the answer has one format only"],
  ])("refuses %j, of another service or another spelling, with the right name", (search, message) => {
    expect(() => parseQuery(search, schema)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", message }));
  });

  test.each([
    [ohlc, "symbol=EURUSD&granularity=M5", "timeframe"],
    [ohlc, "symbol=EURUSD&interval=1h", "timeframe"],
    [ohlc, "symbol=EURUSD&period=M5", "timeframe"],
    [ohlc, "symbol=EURUSD&start_date=2026-01-01", "from"],
    [ohlc, "symbol=EURUSD&endTime=1", "to"],
    [calendar, "currency=USD", "currencies"],
    [calendar, "symbol=EURUSD", "currencies"],
    [indicator, "symbol=EURUSD&indicator=RSI&period=14", "indicator"],
    [quotes, "output=csv", "format"],
    [stream, "symbol=EURUSD", "symbols"],
    [stream, "instruments=EURUSD", "symbols"],
  ])("names the parameter of an endpoint that is meant: %#", ({ query }, search, meant) => {
    expect(() => parseQuery(search, query)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", extra: { suggestions: [meant] } }),
    );
  });

  test("ignores a name that means none of an endpoint's, and format=json where there is nothing else", () => {
    expect(parseQuery("symbol=a&granularity=M5&_=17&format=json", schema).ignored).toBe("granularity, _, format");
  });

  test("parses any query or refuses it with VALIDATION_ERROR, and lists unknown names in ASCII only", () => {
    const part = fc.tuple(
      fc.constantFrom("symbol", "limit", "all", "__proto__", "é", "%ed%a0%80"),
      fc.string({ unit: anyCharacter }),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const search = parts.map(([name, value]) => `${name}=${value}`).join("&");
        try {
          expect(parseQuery(search, schema).ignored ?? "").toMatch(/^[\x20-\x7e]*$/);
        } catch (error) {
          expect(error).toMatchObject({ code: "VALIDATION_ERROR", status: 400 });
        }
      }),
    );
  });
});

describe("a parameter that is refused with its own error code", () => {
  const ranged = z.object({ timeframe: timeframeParam(TIMEFRAMES).default("H1"), from: timeParam });

  test("is parsed like any other", () => {
    expect(parseQuery("from=1970-01-02&timeframe=M5", ranged).value).toEqual({ from: DAY_MS, timeframe: "M5" });
    expect(parseQuery("from=1970-01-02", ranged).value).toMatchObject({ timeframe: "H1" });
  });

  test.each([
    ["", "VALIDATION_ERROR", "from is required"],
    ["from=", "INVALID_DATETIME", "from must be an ISO 8601"],
    ["from=1970-02-30", "INVALID_DATETIME", "from must be an ISO 8601"],
    ["from=1970-01-02&timeframe=H2", "INVALID_TIMEFRAME", "timeframe must be one of M1, M5,"],
    ["from=1970-01-02&timeframe=", "INVALID_TIMEFRAME", "timeframe must be one of M1, M5,"],
    ["from=1970-01-02&from=1970-01-02", "VALIDATION_ERROR", "from must be given only once"],
  ])("refuses %j with %s", (search, code, message) => {
    expect(() => parseQuery(search, ranged)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) as unknown }),
    );
  });
});

describe("a parameter with a custom refusal", () => {
  const own = z.object({
    side: wordParam(["buy", "sell"], "INVALID_IMPACT").optional(),
    once: z.string().optional().register(repetitions, { errorCode: "INVALID_SOURCE" }),
    hours: boundedParam(1, 720).optional(),
  });
  const parseOrRefuse = (search: string) => {
    try {
      return parseQuery(search, own).value;
    } catch (error) {
      return { ...(JSON.parse((error as ApiError).body()) as object), status: (error as ApiError).status };
    }
  };

  test("lists the accepted words", () => {
    expect(parseOrRefuse("side=buy&hours=720")).toEqual({ side: "buy", hours: 720 });
    expect(parseOrRefuse("side=hold")).toMatchObject({
      status: 400,
      error: { code: "INVALID_IMPACT", accepted: ["buy", "sell"] },
    });
    expect(parseOrRefuse("side=")).toMatchObject({ error: { code: "INVALID_IMPACT" } });
  });

  test("can have an error code for repetition", () => {
    expect(parseOrRefuse("side=buy&side=buy")).toMatchObject({ status: 400, error: { code: "VALIDATION_ERROR" } });
    expect(parseOrRefuse("once=1&once=1")).toMatchObject({ status: 400, error: { code: "INVALID_SOURCE" } });
  });

  test.each(["0", "721", "", "1e2", "-1", "+5", "5.0"])("refuses the number %j with 422 and its name", (hours) => {
    const msg = "hours must be a whole number from 1 to 720";
    expect(parseOrRefuse(`hours=${encodeURIComponent(hours)}`)).toEqual({
      success: false,
      status: 422,
      error: {
        code: "VALIDATION_ERROR",
        message: msg,
        details: [{ loc: ["query", "hours"], msg, type: "value_error" }],
      },
    });
  });
});

describe("parseBody", () => {
  test("parses any JSON or refuses it with VALIDATION_ERROR", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          parseBody(text, schema);
        } catch (error) {
          expect(error).toMatchObject({ code: "VALIDATION_ERROR", status: 400 });
        }
      }),
    );
  });

  test("ignores __proto__", () => {
    const read = parseBody('{"symbol":"a","__proto__":{"limit":3}}', schema);
    expect(read).toEqual({ value: { symbol: "a", limit: 100, all: false }, ignored: "__proto__" });
  });
});
