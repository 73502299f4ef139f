import { expect, test } from "vitest";
import { isWidened, type KeyReach } from "@/lib/access/keys/key";

const day = (date: number) => new Date(Date.UTC(2026, 0, date));
const before: KeyReach = {
  scopes: ["quotes"],
  allowedCidrs: ["10.0.0.0/8"],
  allowedEndpoints: ["/v1/quote", "/v1/symbols"],
  allowedOrigins: ["https://a.example"],
  allowedSymbols: ["metals", "EURUSD"],
  perMinuteLimit: 10,
  perDayLimit: 100,
  expiresAt: day(10),
};

test.each<[string, Partial<KeyReach>]>([
  ["another scope", { scopes: ["quotes", "premium"] }],
  ["every scope", { scopes: ["all"] }],
  ["another address", { allowedCidrs: ["10.0.0.0/8", "192.0.2.1/32"] }],
  ["a wider range", { allowedCidrs: ["10.0.0.0/7"] }],
  ["no allow-list", { allowedCidrs: [] }],
  ["another family", { allowedCidrs: ["a00::/8"] }],
  ["a later end", { expiresAt: day(11) }],
  ["no end", { expiresAt: null }],
  ["another endpoint", { allowedEndpoints: ["/v1/quote", "/v1/ticks"] }],
  ["every endpoint", { allowedEndpoints: [] }],
  ["another symbol", { allowedSymbols: ["metals", "EURUSD", "GBPUSD"] }],
  ["another category", { allowedSymbols: ["metals", "forex"] }],
  ["every symbol", { allowedSymbols: [] }],
  ["another origin", { allowedOrigins: ["https://a.example", "https://b.example"] }],
  ["every origin", { allowedOrigins: [] }],
  ["more calls a minute", { perMinuteLimit: 11 }],
  ["the account's calls a minute", { perMinuteLimit: null }],
  ["more calls a day", { perDayLimit: 101 }],
  ["the account's calls a day", { perDayLimit: null }],
])("Allowing %s widens what a key can do", (_, after) => expect(isWidened(before, { ...before, ...after })).toBe(true));

test.each<[string, Partial<KeyReach>]>([
  ["the same", {}],
  ["a part of the range", { allowedCidrs: ["10.1.0.0/16", "10.2.3.4/32"] }],
  ["an earlier end", { expiresAt: day(9) }],
  ["fewer endpoints", { allowedEndpoints: ["/v1/quote"] }],
  ["one symbol of a category", { allowedSymbols: ["XAUUSD"] }],
  ["fewer calls", { perMinuteLimit: 9, perDayLimit: 1 }],
])("Allowing %s does not widen what a key can do", (_, after) =>
  expect(isWidened(before, { ...before, ...after })).toBe(false),
);

test("A key that may do everything can only be narrowed", () => {
  const lists = { allowedCidrs: [], allowedEndpoints: [], allowedSymbols: [], allowedOrigins: [] };
  const free: KeyReach = { scopes: ["all"], ...lists, perMinuteLimit: null, perDayLimit: null, expiresAt: null };
  expect(isWidened(free, before)).toBe(false);
  expect(isWidened(free, { ...free, scopes: ["quotes", "historical"] })).toBe(false);
});
