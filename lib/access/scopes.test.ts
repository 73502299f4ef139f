import { expect, test } from "vitest";
import { findScope, hasScope, isScope, type Scope, SCOPE_ENDPOINTS } from "@/lib/access/scopes";

const only = (...scopes: Scope[]) => new Set(scopes);

test("Each listed endpoint needs the scope that lists it", () => {
  expect(findScope("/v1/quote")).toBe("quotes");
  expect(findScope("/v1/screener")).toBe("indicators");
  expect(findScope("/v1/indicator/history")).toBe("historical");
  expect(findScope("/v1/heatmap")).toBe("premium");
});

test("An endpoint without a scope is open to every key", () => {
  for (const path of ["/v1/spread", "/v1/spread/compare", "/v1/sessions", "/v1/calendar", "/v1/monitor/account"]) {
    expect(hasScope(only("quotes"), findScope(path))).toBe(true);
  }
});

test('A key with "all" may call every endpoint but those of alerts, other keys only their own', () => {
  for (const path of Object.values(SCOPE_ENDPOINTS).flat()) {
    expect(hasScope(only("all"), findScope(path))).toBe(findScope(path) !== "alerts");
    expect(hasScope(only("alerts"), findScope(path))).toBe(findScope(path) === "alerts");
    expect(hasScope(only("quotes"), findScope(path))).toBe(findScope(path) === "quotes");
  }
});

test("Only the names of scopes are scopes", () => {
  expect(isScope("premium")).toBe(true);
  for (const word of ["", "Premium", "admin", "__proto__"]) expect(isScope(word)).toBe(false);
});
