import { expect, test } from "vitest";
import { formatRequestLine } from "@/lib/platform/log/request-line";

const request = { id: "r-1", method: "GET", path: "/v1/quote", status: 200, ms: 0.2 };

function read(address: string | null, key: { id: string; start: string } | null = null) {
  const line = formatRequestLine({ ...request, key, caller: { address: () => address } }, "2026-01-15T10:00:00.000Z");
  expect(line.endsWith("}\n")).toBe(true);
  return JSON.parse(line) as Record<string, unknown>;
}

test("A line has the caller's address, and the key with the start of its secret", () => {
  const line = { level: 30, time: "2026-01-15T10:00:00.000Z", ...request };
  expect(read("203.0.113.7")).toEqual({ ...line, address: "203.0.113.7" });
  expect(read(null, { id: "k-1", start: "fxk_live_3f9a" })).toEqual({
    ...line,
    address: null,
    key: "k-1",
    key_start: "fxk_live_3f9a",
  });
});

test("The caller's own id of a call is beside the server's", () => {
  const fields = { ...request, key: null, caller: { address: () => null }, callerId: "order-17" };
  expect(JSON.parse(formatRequestLine(fields, "2026-01-15T10:00:00.000Z"))).toMatchObject({
    id: "r-1",
    caller_id: "order-17",
  });
  expect(read(null)).not.toHaveProperty("caller_id");
});

test("IPv4 has one spelling, also on a socket that takes both", () => {
  expect(read("::ffff:203.0.113.7").address).toBe("203.0.113.7");
  expect(read("2001:db8::7").address).toBe("2001:db8::7");
});

test.each(['1.2.3.4","status":200,"x":"', "1.2.3.4:5678", "unknown", "", "\u0000", "::ffff:"])(
  "What a proxy forwards but is no address is left out: %s",
  (address) => {
    expect(read(address).address).toBeNull();
  },
);

test.each([
  ["/health", 200, 20],
  ["/ready", 200, 20],
  ["/ready", 503, 30],
  ["/v1/quote", 200, 30],
  ["unmatched", 404, 30],
])("The line of %s with status %i has the level %i.", (path, status, level) => {
  const line = { ...request, path, status, key: null, caller: { address: () => null } };
  expect(JSON.parse(formatRequestLine(line, "2026-01-15T10:00:00.000Z"))).toMatchObject({ level });
});
