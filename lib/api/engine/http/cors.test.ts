import { expect, test } from "vitest";
import { parseHeaderLines } from "@/lib/api/engine/call";
import { createCors } from "@/lib/api/engine/http/cors";

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
