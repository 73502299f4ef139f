import { expect, test } from "vitest";
import { expectError, send } from "@/e2e/api/server";
import { endpoints } from "@/lib/api/registry";

/**
 * Refusals by more than one parameter, or by what the server knows. What each parameter refuses by itself is in
 * lib/api/openapi/parameters.test.ts.
 */

const DAY = "from=2026-11-01&to=2026-11-02";
const EURUSD_TIMES = (count: number) => Array.from({ length: count }, () => "EURUSD").join();

/** The query that an endpoint with a symbol needs besides it. */
const OTHERS: Readonly<Record<string, string>> = {
  "/v1/ticks": "from=2026-11-20T13:00:00Z&to=2026-11-20T14:00:00Z",
  "/v1/export": `what=ticks&${DAY}`,
};

test("Every endpoint with a symbol refuses an unknown one with suggestions, and an inverted pair is unknown", async () => {
  const named = endpoints.filter(({ query: { shape } }) => "symbol" in shape);
  expect(named.length).toBeGreaterThanOrEqual(10);
  for (const { path, query } of named) {
    const others = `${"indicator" in query.shape ? "indicator=RSI_14&" : ""}${OTHERS[path] ?? ""}`;
    for (const symbol of ["EURUSX", "USDEUR"]) {
      const reply = await send(`${path}?symbol=${symbol}&${others}`);
      expectError(reply, 404, "SYMBOL_NOT_FOUND");
      expect(reply.json).toMatchObject({ error: { suggestions: expect.arrayContaining(["EURUSD"]) as unknown } });
    }
  }
  expectError(await send("/v1/symbols/NOPE"), 404, "SYMBOL_NOT_FOUND");
});

test.each([
  ["/v1/ticks?symbol=EURUSD&from=2026-11-20T14:00:00Z&to=2026-11-20T13:00:00Z", "INVALID_RANGE"],
  ["/v1/ticks?symbol=EURUSD&from=2026-11-20T14:00:00Z&to=2026-11-20T14:00:00Z", "INVALID_RANGE"],
  ["/v1/ticks?symbol=EURUSD&from=2026-11-20T13:00:00Z&to=2026-11-20T14:00:01Z", "RANGE_TOO_LARGE"],
  ["/v1/ohlc?symbol=EURUSD&from=2026-11-20&to=2026-11-20", "INVALID_RANGE"],
  ["/v1/indicator/history?symbol=EURUSD&indicator=RSI_14&from=2026-01-02&to=2026-01-02", "INVALID_RANGE"],
  [`/v1/export?what=quotes&${DAY}`, "VALIDATION_ERROR"],
  [`/v1/export?what=calendar&symbol=EURUSD&${DAY}`, "VALIDATION_ERROR"],
  [`/v1/export?what=ticks&symbol=EURUSD&timeframe=M1&${DAY}`, "VALIDATION_ERROR"],
  ["/v1/export?what=ticks&symbol=EURUSD&from=2026-11-02&to=2026-11-01", "INVALID_RANGE"],
  [`/v1/multi?symbols=${EURUSD_TIMES(11)}&indicators=RSI_14&from=2026-11-20`, "TOO_MANY_SYMBOLS"],
  ["/v1/multi?symbols=EURUSD&indicators=RSI_14&to=2026-11-20", "VALIDATION_ERROR"],
  ["/v1/multi?symbols=EURUSD&indicators=RSI_14&from=2026-01-02&to=2026-01-02", "INVALID_RANGE"],
  ["/v1/multi?symbols=EURUSD&indicators=RSI_14&timeframe=M1&from=2026-01-02&to=2026-01-03", "RANGE_TOO_LARGE"],
  ["/v1/screener?indicator=RSI_14&min_val=2&max_val=1", "VALIDATION_ERROR"],
  ["/v1/heatmap?symbols=EURUSD,GBPUSD", "VALIDATION_ERROR"],
  ["/v1/heatmap?bars=50", "VALIDATION_ERROR"],
  ["/v1/heatmap?type=correlation&symbols=EURUSD,eur/usd", "VALIDATION_ERROR"],
  ["/v1/heatmap?type=correlation&symbols=EURUSD", "VALIDATION_ERROR"],
  ["/v1/indicator?symbol=EURUSD&indicator=RSI_14&bars=1", "VALIDATION_ERROR"],
  ["/v1/calendar?currencies=", "VALIDATION_ERROR"],
  ["/v1/calendar?currencies=EU", "VALIDATION_ERROR"],
  ["/v1/calendar?country=US$", "VALIDATION_ERROR"],
  ["/v1/calendar?from=2026-02-30", "INVALID_DATE"],
  ["/v1/calendar.ics?from=2026-01-01&to=2026-02-01", "RANGE_TOO_LARGE"],
  ["/v1/calendar/window", "VALIDATION_ERROR"],
  ["/v1/calendar/window?currencies=", "VALIDATION_ERROR"],
  ["/v1/calendar/window?symbol=EURUSD&before=0&after=0", "VALIDATION_ERROR"],
])("%s is refused with 400 %s", async (path, code) => expectError(await send(path), 400, code));
