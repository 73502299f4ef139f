import { expect, test } from "vitest";
import { requireOwnSite } from "@/lib/api/mcp/mcp-host";

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
