import { expect, test } from "vitest";
import { getEntitlements, listPlansWith, NO_LIMIT, PLAN_NAMES, planAt, plans } from "@/lib/access/plans";

test("serves a standard key under the plan of its account", () => {
  for (const plan of PLAN_NAMES) expect(getEntitlements(plan, "standard")).toBe(plans[plan]);
});

test("serves a tool key under its own terms, whatever the account pays for", () => {
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

test("grants each plan what the published table says", () => {
  const rows = PLAN_NAMES.map((name) => {
    const { perMinute, perDay, calendar, actuals, ticks, indicatorHistory } = plans[name];
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

test("names everyone who may call the calendar, tool keys among them", () => {
  expect(listPlansWith("calendar")).toEqual(["tool", "payg", "starter", "pro", "enterprise"]);
  expect(listPlansWith("ticks")).toEqual(["pro", "enterprise"]);
});

test("turns a trial into free at the moment it ends, and no other plan", () => {
  expect(planAt("trial", 1_000, 999)).toBe("trial");
  expect(planAt("trial", 1_000, 1_000)).toBe("free");
  expect(planAt("trial", null, 0)).toBe("free");
  expect(planAt("pro", 1_000, 2_000)).toBe("pro");
});
