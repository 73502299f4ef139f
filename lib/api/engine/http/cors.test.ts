import { expect, test } from "vitest";
import { parseHeaderLines } from "@/lib/api/engine/call";
import { createCors } from "@/lib/api/engine/http/cors";

const read = (lines: string) => Object.fromEntries(parseHeaderLines(lines));
const APP = "https://app.example.com";

test("Pages of listed origins may read answers and their headers, others and programs get no permission", () => {
  const cors = createCors(new Set([APP]));
  expect(cors.varies).toBe(true);
  const headers = read(cors.formatAnswer(APP));
  expect(headers["Access-Control-Allow-Origin"]).toBe(APP);
  expect(headers["Access-Control-Expose-Headers"]).toMatch(/X-Request-Id.*X-Quote-State.*Retry-After/);
  for (const origin of ["https://app.example.com.evil.example", "null", "https://app.example.com:8443", undefined]) {
    expect(cors.formatAnswer(origin)).toBe("");
    expect(cors.formatPreflight(origin, "GET")).toBe("");
  }
});

test("A preflight names methods, headers and how long they hold", () => {
  expect(read(createCors(new Set([APP])).formatPreflight(APP, "GET, HEAD, OPTIONS"))).toEqual({
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": expect.stringContaining("X-API-Key") as unknown,
    "Access-Control-Max-Age": "86400",
  });
});

test("With * pages of every origin may, and no text from outside is repeated", () => {
  const cors = createCors("*");
  expect(cors.varies).toBe(false);
  expect(read(cors.formatAnswer("https://anything.example"))["Access-Control-Allow-Origin"]).toBe("*");
  expect(cors.formatAnswer(undefined)).toBe("");
});
