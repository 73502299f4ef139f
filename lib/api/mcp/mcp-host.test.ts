import { expect, test } from "vitest";
import { MessageLimit, requireOwnSite } from "@/lib/api/mcp/mcp-host";
import { MINUTE_MS } from "@/lib/time/units";

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const key = { id: "one", perMinute: 5 };

test("A key may send twice its calls and sixty messages more in a minute, and each key has its own limit", () => {
  const limit = new MessageLimit();
  for (let message = 0; message < 70; message++) limit.count(key, NOW_MS);
  expect(() => limit.count(key, NOW_MS + 45_500)).toThrow(
    expect.objectContaining({ code: "RATE_LIMIT_EXCEEDED", headers: "Retry-After: 15\r\n" }) as Error,
  );
  expect(() => limit.count({ ...key, id: "two" }, NOW_MS)).not.toThrow();
  expect(() => limit.count(key, NOW_MS + MINUTE_MS)).not.toThrow();
});

const check = (url: string | null, headers: Readonly<Record<string, string>>) => () =>
  requireOwnSite({ header: (name) => headers[name] }, { url });

test.each([
  [null, { host: "localhost:3000" }],
  [null, { host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" }],
  ["https://prices.example", { host: "prices.example" }],
  ["https://prices.example", { host: "prices.example", origin: "https://prices.example" }],
  ["https://prices.example", { host: "127.0.0.1:3000", origin: "https://prices.example" }],
])("A site at %s answers agents with %j", (url, headers) => {
  expect(check(url, headers)).not.toThrow();
});

test.each([
  [null, {}],
  [null, { host: "evil.example" }],
  ["https://prices.example", { host: "evil.example", origin: "https://evil.example" }],
  ["https://prices.example", { host: "prices.example", origin: "https://evil.example" }],
  ["https://prices.example", { host: "prices.example", origin: "null" }],
  [null, { host: "localhost:3000", origin: "http://localhost:5173" }],
])("A site at %s refuses agents with %j", (url, headers) => {
  expect(check(url, headers)).toThrow(expect.objectContaining({ code: "PERMISSION_DENIED" }) as Error);
});
