import { describe, expect, test } from "vitest";
import { ConnectionError, readApiError, readRetryAfter } from "./errors.js";
import { computeRetryDelay, RETRY_DEFAULTS, sleep } from "./retry.js";

const refuse = (status: number, headers: Record<string, string> = {}, error: object = {}) =>
  readApiError(
    status,
    new Headers(headers),
    JSON.stringify({ success: false, error: { code: "X", message: "", ...error } }),
  );

describe("A call is sent again", () => {
  test.each([
    [refuse(429, { "Retry-After": "3" }), 3_000, 3_250],
    [refuse(429, {}, { reset_in_seconds: 12 }), 12_000, 12_250],
    [refuse(503), 125, 250],
    [refuse(502), 125, 250],
    [new ConnectionError("lost"), 125, 250],
  ])("after %s", (failure, least, most) => {
    expect(computeRetryDelay(failure, 0, RETRY_DEFAULTS, 0)).toBe(least);
    expect(computeRetryDelay(failure, 0, RETRY_DEFAULTS, 1)).toBe(most);
  });

  test("after waits that double up to a limit", () => {
    const waits = [0, 1, 2, 10, 2_000].map((retry) => computeRetryDelay(refuse(500), retry, RETRY_DEFAULTS, 1));
    expect(waits).toEqual([250, 500, 1_000, 8_000, 8_000]);
  });
});

test.each([
  ["a refusal that will not change", refuse(404)],
  ["a fault of the caller", refuse(400, { "Retry-After": "1" })],
  ["a pause until midnight", refuse(429, { "Retry-After": "40000" })],
  ["an error of the program", new TypeError("x is undefined")],
])("No call is sent again after %s", (_, failure) => {
  expect(computeRetryDelay(failure, 0, RETRY_DEFAULTS, 0.5)).toBeNull();
});

test("Retry-After is read as seconds and as a date", () => {
  const nowMs = Date.UTC(2026, 0, 5, 12);
  expect(readRetryAfter("17", nowMs)).toBe(17_000);
  expect(readRetryAfter("Mon, 05 Jan 2026 12:00:30 GMT", nowMs)).toBe(30_000);
  expect(readRetryAfter("Mon, 05 Jan 2026 11:00:00 GMT", nowMs)).toBe(0);
  expect(readRetryAfter("soon", nowMs)).toBeNull();
});

test("A wait ends as soon as its signal is aborted", async () => {
  const controller = new AbortController();
  const waiting = sleep(1_000_000, controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(sleep(1_000_000, controller.signal)).rejects.toThrow("enough");
});
