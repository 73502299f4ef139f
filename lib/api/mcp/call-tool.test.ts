import { describe, expect, test } from "vitest";
import { callTool, findTool, type ToolCall, type ToolReply } from "@/lib/api/mcp/call-tool";
import { type Tool, TOOLS } from "@/lib/api/mcp/tools";

/** Runs a tool whose call gets this answer. */
async function run(
  name: string,
  given: Record<string, unknown>,
  answer: Partial<ToolReply> & { headers?: object } = {},
) {
  const calls: ToolCall[] = [];
  const headers = new Headers(answer.headers as Record<string, string>);
  const { status = 200, text = '{"success":true,"data":{"bid":1}}' } = answer;
  const result = await callTool(findTool(name) as Tool, given, (call) => {
    calls.push(call);
    return Promise.resolve({ status, text, header: (header) => headers.get(header) });
  });
  const [content] = result.content;
  return { calls, result, text: content?.type === "text" ? content.text : "" };
}

describe("A tool", () => {
  test("makes the call of its endpoint", async () => {
    expect((await run("get_bars", { symbol: "EUR/USD", limit: 5 })).calls).toEqual([
      { method: "GET", path: "/v1/ohlc", search: "symbol=EUR%2FUSD&limit=5", body: null },
    ]);
    expect((await run("get_symbol", { symbol: "a/../quote" })).calls[0]?.path).toBe("/v1/symbols/a%2F..%2Fquote");
    expect((await run("compare_spreads", { symbols: ["EURUSD", "GBPUSD"] })).calls[0]?.search).toBe(
      "symbols=EURUSD%2CGBPUSD",
    );
    expect((await run("get_quotes", { symbols: ["EURUSD"] })).calls).toEqual([
      { method: "POST", path: "/v1/quotes", search: "", body: '{"symbols":["EURUSD"]}' },
    ]);
  });

  test("answers with the data as text and as a structure", async () => {
    const { result, text } = await run(
      "get_quote",
      { symbol: "EURUSD" },
      { headers: { "X-Quote-State": "live", "X-Request-Id": "5f" } },
    );
    expect(text).toBe('{"bid":1}');
    expect(result.structuredContent).toEqual({
      data: { bid: 1 },
      quote_state: "live",
      quote_age_ms: null,
      data_mode: "live",
      notes: [],
      request_id: "5f",
    });
  });

  test.each([
    [{ "X-Quote-State": "stale", "X-Quote-Age-Ms": "84000" }, /^WARNING: .*stale.* Its age is 1m 24s\. Do not present/],
    [{ "X-Quote-State": "delayed" }, /^NOTE: .*delayed/],
    [{ "X-Quote-State": "closed" }, /^NOTE: the market is closed/],
    [{ "X-Data-Mode": "simulated" }, /^NOTE: this data is simulated/],
    [{ "X-Bar-State": "short" }, /^NOTE: the values are made of the few bars/],
    [{ "X-Bar-State": "behind" }, /^NOTE: the newest bars are missing/],
    [{ "X-Bar-State": "outdated" }, /^WARNING: the newest bar is outdated.* Do not present/],
    [{ "X-Bar-Holes": "EURUSD=2025-06-30T21:00:00Z/2026-11-27T14:00:00Z" }, /^NOTE: bars are missing.*: EURUSD=2025/],
    [{ "X-Coverage": "58/60" }, /^NOTE: 58 of 60 rows/],
  ])("says before the data what %j means", async (headers, expected) => {
    const { text, result } = await run("get_quote", { symbol: "EURUSD" }, { headers });
    expect(text).toMatch(expected);
    expect(result.structuredContent?.notes).toHaveLength(1);
  });

  test("tells what the API refuses, in either format, and what is no answer of it", async () => {
    const refused =
      '{"success":false,"error":{"code":"SYMBOL_NOT_FOUND","message":"Not known.","suggestions":["EURUSD"]}}';
    const envelope = await run("get_quote", { symbol: "x" }, { status: 404, text: refused });
    expect(envelope.result).toMatchObject({ isError: true, structuredContent: { error: { suggestions: ["EURUSD"] } } });
    expect(envelope.text).toBe("SYMBOL_NOT_FOUND: Not known.");
    const flat = '{"error":"Rate Limited","message":"Too many.","code":429,"retry_after":9}';
    expect((await run("get_indicator", { symbol: "x", indicator: "CCI_14" }, { status: 429, text: flat })).text).toBe(
      "Rate Limited: Too many.",
    );
    const proxy = await run("get_quote", { symbol: "x" }, { status: 502, text: "<html>" });
    expect(proxy.result.isError).toBe(true);
    expect(proxy.text).toBe("UNKNOWN: The server answered HTTP 502 without JSON.");
  });

  test.each([
    [{ symbol: "EURUSD", colour: "red" }, /has no argument "colour"/],
    [{}, /^VALIDATION_ERROR: symbol is required$/],
    [{ symbol: { $gt: "" } }, /symbol must be a text/],
    [{ symbol: null }, /symbol must be a text/],
    [{ symbol: "EURUSD", __proto__: { a: 1 }, constructor: "x" }, /has no argument "constructor"/],
  ])("refuses %j without a call", async (given, expected) => {
    const { calls, result, text } = await run("get_quote", given);
    expect(text).toMatch(expected);
    expect(result.isError).toBe(true);
    expect(calls).toEqual([]);
  });
});

describe("The tools", () => {
  test("have the arguments of their endpoints, with bounds and words", () => {
    expect(findTool("get_bars")?.input).toMatchObject({
      required: ["symbol"],
      additionalProperties: false,
      properties: { limit: { type: "integer", minimum: 1, maximum: 1_000, default: 100 } },
    });
    expect(findTool("get_quotes")?.input).toMatchObject({
      required: ["symbols"],
      properties: { symbols: { type: "array" } },
    });
    expect(JSON.stringify(TOOLS.map(({ input }) => input))).not.toMatch(
      /\$ref|"format":\{"type":"string","enum":\["json"/,
    );
  });

  test("have names of their own", () => {
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
  });
});
