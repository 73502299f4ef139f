import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { endpoints } from "@/lib/api/registry";

const document = describeApi(endpoints, "https://prices.test");

/** A program against each generated client: it compiles only if the types say what the API does. */
const TYPES_PROGRAM = `
import type { components, operations } from "./api";
export const query: operations["getOhlc"]["parameters"]["query"] = { symbol: "EURUSD", timeframe: "H1", limit: 10 };
export const flag: operations["getQuote"]["parameters"]["query"] = { symbol: "EURUSD", include_sources: true };
export const codes: operations["getMulti"]["parameters"]["query"] = { symbols: ["EURUSD"], indicators: ["RSI_14"] };
export const middle = (quote: components["schemas"]["Quote"]): number => (quote.bid + quote.ask) / 2;
export const high = (candle: components["schemas"]["Candle"]): number => candle.high;
export const isLimit = (code: components["schemas"]["ErrorCode"]): boolean => code === "RATE_LIMIT_EXCEEDED";
export const wait = (error: components["schemas"]["Error"]): number => error.error.reset_in_seconds ?? 0;
// @ts-expect-error The limit is a number.
export const wrong: operations["getOhlc"]["parameters"]["query"] = { symbol: "EURUSD", limit: "10" };
`;
const CLIENT_PROGRAM = `
import { getQuote, getOhlc, getMulti, type CalendarEvent, type Candle, type Tick } from "./client";
export async function read(): Promise<number> {
  const quote = await getQuote({ query: { symbol: "EURUSD", include_sources: false }, throwOnError: true });
  const bars = await getOhlc({ query: { symbol: "EURUSD", limit: 5 }, throwOnError: true });
  const many = await getMulti({ query: { symbols: ["EURUSD"], indicators: ["RSI_14"] } });
  const code: "SYMBOL_NOT_FOUND" | undefined = many.error?.error.code === "SYMBOL_NOT_FOUND" ? many.error.error.code : undefined;
  if (typeof bars.data === "string" || code !== undefined) return 0;
  const candles: Candle[] = bars.data.data.candles;
  return quote.data.data.bid + candles.length;
}
export const titles = (events: CalendarEvent[], ticks: Tick[]): string[] => [...events.map(({ event }) => event), ...ticks.map(({ time }) => time)];
`;

let folder = "";
/** The faults of each program; one compilation for both, because its libraries take longest. */
let faults: readonly string[] = [];
beforeAll(async () => {
  // Inside the project, so that the compiler finds its libraries.
  folder = mkdtempSync(join(process.cwd(), "node_modules", ".generated-clients-"));
  writeFileSync(join(folder, "api.ts"), astToString(await openapiTS(structuredClone(document) as never)));
  await createClient({
    input: structuredClone(document) as never,
    output: join(folder, "client"),
    logs: { level: "silent" },
  });
  writeFileSync(join(folder, "types-program.ts"), TYPES_PROGRAM);
  writeFileSync(join(folder, "client-program.ts"), CLIENT_PROGRAM);
  faults = compile([join(folder, "types-program.ts"), join(folder, "client-program.ts")]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("openapi-typescript makes types that compile, with numbers, flags, lists and named schemas", () => {
  expect(faults.filter((fault) => !fault.includes("/client"))).toEqual([]);
});

test("Hey API makes a client that compiles, with a function for each operation", () => {
  expect(faults.filter((fault) => fault.includes("/client"))).toEqual([]);
});

function compile(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ messageText, file: source }) => `${source?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}
