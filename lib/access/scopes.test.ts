import { expect, test } from "vitest";
import { findScope, hasScope, isScope, type Scope, SCOPE_ENDPOINTS } from "@/lib/access/scopes";

const only = (...scopes: Scope[]) => new Set(scopes);

test("guards each listed endpoint with the scope that lists it", () => {
  expect(findScope("/v1/quote")).toBe("quotes");
  expect(findScope("/v1/screener")).toBe("indicators");
  expect(findScope("/v1/indicator/history")).toBe("historical");
  expect(findScope("/v1/heatmap")).toBe("premium");
});

test("leaves endpoints that no scope lists open to every key", () => {
  for (const path of ["/v1/spread", "/v1/spread/compare", "/v1/sessions", "/v1/calendar", "/v1/monitor/account"]) {
    expect(hasScope(only("quotes"), findScope(path))).toBe(true);
  }
});

test("opens every guarded endpoint to a key with all, and only its own to the others", () => {
  for (const path of Object.values(SCOPE_ENDPOINTS).flat()) {
    expect(hasScope(only("all"), findScope(path))).toBe(true);
    expect(hasScope(only("quotes"), findScope(path))).toBe(findScope(path) === "quotes");
  }
});

test("knows its own words and no others", () => {
  expect(isScope("premium")).toBe(true);
  for (const word of ["", "Premium", "admin", "__proto__"]) expect(isScope(word)).toBe(false);
});
