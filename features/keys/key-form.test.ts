import { expect, test } from "vitest";
import { readKindTerms, readScopeGuides } from "@/features/keys/data";
import { listKeyEndpoints } from "@/features/keys/key-form";
import type { KeyKind, PlanName } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";
import { keyedEndpoints, keyPaths } from "@/lib/api/registry";

function listPaths(plan: PlanName, kind: KeyKind, scopes: readonly Scope[], only: readonly string[] = []) {
  const terms = readKindTerms({ plan, perMinuteLimit: null, perDayLimit: null }).find((each) => each.kind === kind);
  if (terms === undefined) throw new Error(`No terms of ${kind}`);
  const all = listKeyEndpoints(
    readScopeGuides({ keyedEndpoints, keyPaths }),
    { scopes, endpoints: only },
    terms.entitlements,
  );
  const paths = (lines: typeof all.open) => lines.map(({ path }) => path);
  return { open: paths(all.open), partly: paths(all.partly), refused: paths(all.refused) };
}

test("The endpoints of a new key are those of its scopes that its plan includes", () => {
  const free = listPaths("free", "standard", ["historical"]);
  expect(free.open).toContain("/v1/ohlc");
  expect(free.open).toContain("/v1/sessions");
  expect(free.open).not.toContain("/v1/quote");
  expect(free.refused).toHaveLength(6);
  expect(new Set(free.refused)).toEqual(
    new Set([
      "/v1/calendar",
      "/v1/calendar.ics",
      "/v1/calendar/subscription",
      "/v1/calendar/window",
      "/v1/indicator/history",
      "/v1/ticks",
    ]),
  );
  expect(listPaths("pro", "standard", ["all"])).toMatchObject({ partly: [], refused: [] });
  expect(listPaths("free", "standard", ["premium"]).partly).toEqual(["/v1/multi"]);
});

test("A tool key has terms of its own on every plan", () => {
  for (const plan of ["free", "enterprise"] as const) {
    const { open, refused } = listPaths(plan, "tool", ["historical"]);
    expect(open).toContain("/v1/calendar");
    expect(refused.toSorted()).toEqual(["/v1/indicator/history", "/v1/ticks"]);
  }
});

test("A key that is restricted to some endpoints can call those of them that its scopes open", () => {
  const { open, refused } = listPaths(
    "free",
    "standard",
    ["quotes"],
    ["/v1/quote", "/v1/ohlc", "/v1/sessions", "/v1/calendar"],
  );
  expect({ open, refused }).toEqual({ open: ["/v1/quote", "/v1/sessions"], refused: ["/v1/calendar"] });
});
