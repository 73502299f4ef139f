import { expect, test } from "vitest";
import {
  findCheapestPlanWith,
  getEntitlements,
  getPlanAt,
  listPlansWith,
  mayRead,
  NO_LIMIT,
  PLAN_NAMES,
} from "@/lib/access/plans";

test("A tool key has its own terms under every plan", () => {
  for (const plan of PLAN_NAMES) {
    expect(getEntitlements(plan, "tool")).toMatchObject({
      name: "tool",
      perMinute: 60,
      perDay: 5_000,
      calendar: true,
      actuals: false,
      ticks: false,
      indicatorHistory: false,
    });
  }
});

test("Each plan has the terms of the published table", () => {
  const rows = PLAN_NAMES.map((name) => {
    const { perMinute, perDay, calendar, actuals, ticks, indicatorHistory } = getEntitlements(name, "standard");
    return [name, perMinute, perDay, calendar, actuals, ticks, indicatorHistory];
  });
  expect(rows).toEqual([
    ["free", 30, 1_000, false, false, false, false],
    ["trial", 30, 1_000, false, false, false, false],
    ["payg", 600, NO_LIMIT, true, false, false, false],
    ["starter", 120, 10_000, true, true, false, true],
    ["pro", 600, 100_000, true, true, true, true],
    ["enterprise", 6_000, 1_000_000, true, true, true, true],
  ]);
});

test("Each plan has its streams of prices", () => {
  const rows = PLAN_NAMES.map((name) => {
    const { streams, streamSymbols } = getEntitlements(name, "standard");
    return [name, streams, streamSymbols];
  });
  expect(rows).toEqual([
    ["free", 1, 5],
    ["trial", 1, 5],
    ["payg", 5, 50],
    ["starter", 3, 25],
    ["pro", 10, NO_LIMIT],
    ["enterprise", 50, NO_LIMIT],
  ]);
  expect(getEntitlements("enterprise", "tool")).toMatchObject({ streams: 1, streamSymbols: 20 });
});

test("The plans with the calendar include the tool keys", () => {
  expect(listPlansWith("calendar")).toEqual(["tool", "payg", "starter", "pro", "enterprise"]);
  expect(listPlansWith("ticks")).toEqual(["pro", "enterprise"]);
});

test("The cheapest plan with some data is one that includes it, before all others that do", () => {
  const parts = ["calendar", "actuals", "ticks", "indicatorHistory"] as const;
  expect(parts.map(findCheapestPlanWith)).toEqual(["payg", "starter", "pro", "starter"]);
});

test("A trial becomes free at the moment it ends, and no other plan changes", () => {
  expect(getPlanAt("trial", 1_000, 999)).toBe("trial");
  expect(getPlanAt("trial", 1_000, 1_000)).toBe("free");
  expect(getPlanAt("trial", null, 0)).toBe("free");
  expect(getPlanAt("pro", 1_000, 2_000)).toBe("pro");
});

test("An account may read what its plan includes, and an operator everything", () => {
  expect(mayRead({ role: "member", plan: "starter" }, "actuals")).toBe(true);
  expect(mayRead({ role: "member", plan: "starter" }, "ticks")).toBe(false);
  expect(mayRead({ role: "operator", plan: "free" }, "ticks")).toBe(true);
});

test("A key may read what its terms include", () => {
  expect(mayRead({ entitlements: getEntitlements("pro", "standard") }, "ticks")).toBe(true);
  expect(mayRead({ entitlements: getEntitlements("pro", "tool") }, "ticks")).toBe(false);
});
