import { expect, test } from "vitest";
import { hasScope, isScope, type Scope, SCOPES } from "@/lib/access/scopes";

const only = (...scopes: Scope[]) => new Set(scopes);

test('What needs no scope is open to every key, and "all" opens every scope but alerts', () => {
  expect(hasScope(only("quotes"), null)).toBe(true);
  for (const needed of SCOPES.filter((scope) => scope !== "all")) {
    expect(hasScope(only("all"), needed)).toBe(needed !== "alerts");
    expect(hasScope(only("alerts"), needed)).toBe(needed === "alerts");
    expect(hasScope(only("quotes"), needed)).toBe(needed === "quotes");
  }
});

test("Only the names of scopes are scopes", () => {
  expect(isScope("premium")).toBe(true);
  for (const word of ["", "Premium", "admin", "__proto__"]) expect(isScope(word)).toBe(false);
});
