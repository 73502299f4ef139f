import { describe, expect, test } from "vitest";
import { formatTraceparent, readCallerId } from "@/lib/api/engine/answer-headers";
import { parseHeaderLines } from "@/lib/api/engine/call";
import { createCors } from "@/lib/api/engine/cors";
import { acceptsGzip, chooseCoding, chooseFormat, requireAcceptable } from "@/lib/api/engine/negotiation";

describe("the format of an answer", () => {
  test.each([
    [undefined, undefined, "json"],
    ["csv", "application/json", "csv"],
    ["json", "text/csv", "json"],
    [undefined, "text/csv", "csv"],
    [undefined, "Text/CSV; header=present", "csv"],
    [undefined, "text/csv, */*;q=0.1", "csv"],
    [undefined, "text/csv;q=0.5, application/json", "json"],
    [undefined, "text/csv;q=0, */*", "json"],
    [undefined, "text/csv, application/json", "json"],
    [undefined, "text/html, */*;q=0.8", "json"],
    [undefined, "*/*", "json"],
    [undefined, ",;q=,/", "json"],
  ] as const)("with the parameter %s and the Accept header %s is %s", (format, accept, expected) => {
    expect(chooseFormat(format, accept)).toBe(expected);
  });
});

describe("an Accept header", () => {
  const TABLE = ["application/json", "text/csv"];
  test.each([
    ["application/vnd.apache.arrow.stream", TABLE],
    ["application/vnd.apache.parquet", TABLE],
    ["application/x-ndjson", TABLE],
    ["application/x-ndjson, application/json;q=0", TABLE],
    ["text/csv", ["application/json"]],
    ["application/xml", ["application/json"]],
  ])("of %s alone is refused by an endpoint of %j, with the way", (accept, types) => {
    expect(() => requireAcceptable(accept, types)).toThrow(
      expect.objectContaining({ status: 406, message: expect.stringContaining("POST /v1/export") as unknown }),
    );
  });

  test.each([
    [undefined, ["application/json"]],
    ["text/html", ["application/json"]],
    ["text/csv", TABLE],
    ["application/vnd.apache.arrow.stream, application/json;q=0.5", TABLE],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ["application/json"]],
    ["application/vnd.apache.parquet", ["text/csv", "application/vnd.apache.parquet"]],
  ])("of %s is taken by an endpoint of %j", (accept, types) => {
    expect(() => requireAcceptable(accept, types)).not.toThrow();
  });
});

describe("the compression of an answer", () => {
  test.each([
    [undefined, null],
    ["", null],
    ["identity", null],
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, GZIP;q=0.2", "gzip"],
    ["*", "br"],
    ["*;q=0, gzip", "gzip"],
    ["gzip;q=0, br;q=0", null],
    ["*;q=0", null],
    ["br;q=oops", "br"],
  ])("with Accept-Encoding %s is %s", (header, expected) => expect(chooseCoding(header)).toBe(expected));
});

describe("acceptsGzip", () => {
  test.each([
    [undefined, false],
    ["", false],
    ["br", false],
    ["gzip", true],
    ["gzip, deflate, br", true],
    ["br;q=1, GZIP;q=0.2", true],
    ["gzip;q=0", false],
    ["identity", false],
  ])("with Accept-Encoding %s is %s", (header, expected) => expect(acceptsGzip(header)).toBe(expected));
});

test.each(["a", "order-17", "0b8f3c2e-7d1a-4f6b-9c55-2f1e8a7d6c41", "svc:job.3_7", "x".repeat(64)])(
  "The id %s of a caller is repeated",
  (text) => expect(readCallerId(text)).toBe(text),
);

test.each([undefined, "", "x".repeat(65), "a b", "a, b", 'a"b', "a\\b", "é", "-a", "a\u0000", "a\r\nX-Injected: 1"])(
  "%j is no id",
  (text) => expect(readCallerId(text)).toBeNull(),
);

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("A valid traceparent is repeated, any other text is not", () => {
  expect(formatTraceparent(TRACE)).toBe(`traceparent: ${TRACE}\r\n`);
  const wrong = [
    undefined,
    "",
    TRACE.toUpperCase(),
    `${TRACE}\r\nX-Injected: 1`,
    TRACE.replace("00-", "ff-"),
    TRACE.replace(/4bf9\w+/, "0".repeat(32)),
    TRACE.replace("00f067aa0ba902b7", "0".repeat(16)),
  ];
  for (const text of wrong) expect(formatTraceparent(text)).toBe("");
});

const read = (lines: string) => Object.fromEntries(parseHeaderLines(lines));
const APP = "https://app.example.com";
const NO_KEYS = { hasOrigin: () => false };

test("Pages of listed origins may read answers and their headers, others and programs get no permission", () => {
  const cors = createCors(new Set([APP]), NO_KEYS);
  expect(cors.varies()).toBe(true);
  const headers = read(cors.formatAnswer(APP, null));
  expect(headers["Access-Control-Allow-Origin"]).toBe(APP);
  expect(headers["Access-Control-Expose-Headers"]).toMatch(/X-Request-Id.*X-Quote-State.*Retry-After/);
  for (const origin of ["https://app.example.com.evil.example", "null", "https://app.example.com:8443", undefined]) {
    expect(cors.formatAnswer(origin, null)).toBe("");
    expect(cors.formatPreflight(origin, "GET")).toBe("");
  }
});

test("A preflight names methods, headers and how long they hold", () => {
  expect(read(createCors(new Set([APP]), NO_KEYS).formatPreflight(APP, "GET, HEAD, OPTIONS"))).toEqual({
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": expect.stringContaining("X-API-Key") as unknown,
    "Access-Control-Max-Age": "86400",
  });
});

test("With * pages of every origin may, and no text from outside is repeated", () => {
  const cors = createCors("*", NO_KEYS);
  expect(cors.varies()).toBe(false);
  expect(read(cors.formatAnswer("https://anything.example", null))["Access-Control-Allow-Origin"]).toBe("*");
  expect(cors.formatAnswer(undefined, null)).toBe("");
});

test("Pages of a key's origins may announce any call, and read the answers to that key alone", () => {
  const ofKeys = new Set([APP]);
  const cors = createCors(null, { hasOrigin: (origin) => origin === undefined || ofKeys.has(origin) });
  expect([cors.isUsed(), cors.varies()]).toEqual([true, true]);
  expect(read(cors.formatPreflight(APP, "GET"))["Access-Control-Allow-Methods"]).toBe("GET");
  expect(cors.formatPreflight("https://evil.example", "GET")).toBe("");
  expect(read(cors.formatAnswer(APP, { origins: ofKeys }))["Access-Control-Allow-Origin"]).toBe(APP);
  expect(read(cors.formatAnswer(APP, null))["Access-Control-Allow-Origin"]).toBe(APP);
  expect(cors.formatAnswer(APP, { origins: new Set(["https://other.example"]) })).toBe("");
  expect(cors.formatAnswer(APP, { origins: null })).toBe("");
  expect(createCors(null, NO_KEYS).isUsed()).toBe(false);
});
