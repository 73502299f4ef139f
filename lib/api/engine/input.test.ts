import { expect, test } from "vitest";
import type { Call } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { readInput } from "@/lib/api/engine/input";
import { quotes } from "@/lib/api/quotes/quotes";

/** Reads a body from memory that is used again for the next call. */
const memory = Buffer.alloc(1_000);
function read(text: string) {
  const body = memory.subarray(0, memory.write(text));
  const call = { path: "/v1/quotes", search: "", body, header: () => "application/json" };
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
