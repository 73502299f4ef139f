import { expect, test } from "vitest";
import { findStatus, formatRepeat } from "@/features/alerts/data";
import { formatPeriod } from "@/features/alerts/types";
import type { Alert } from "@/lib/alerts/alerts";

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const FREE = { role: "member", plan: "free" } as const;
const create = (changed: Partial<Alert>): Alert => ({
  ...{
    id: "a",
    accountId: "b",
    name: "",
    cooldownS: null,
    active: true,
    webhookId: null,
    byMail: false,
    byPush: false,
    firings: 0,
  },
  ...{ condition: { type: "spread", symbol: "EURUSD" }, lastFiredAtMs: null, createdAtMs: 0, ...changed },
});
const find = (changed: Partial<Alert>) => findStatus(create(changed), FREE, NOW_MS);

test("An alert is armed, quiet after a firing, fired or paused", () => {
  expect(find({})).toEqual({ kind: "armed" });
  expect(find({ cooldownS: 600, lastFiredAtMs: NOW_MS - 60_000 })).toEqual({
    kind: "quiet",
    untilMs: NOW_MS + 540_000,
  });
  expect(find({ cooldownS: 600, lastFiredAtMs: NOW_MS - 600_000 })).toEqual({ kind: "armed" });
  expect(find({ active: false, lastFiredAtMs: NOW_MS })).toEqual({ kind: "fired" });
  expect(find({ active: false })).toEqual({ kind: "paused" });
  expect(find({ active: false, cooldownS: 600, lastFiredAtMs: NOW_MS })).toEqual({ kind: "paused" });
});

test("An alert on data that the plan lacks names the plans that have it", () => {
  const condition = { type: "release", currencies: [], impacts: [], search: "" } as const;
  expect(find({ condition: { ...condition, currencies: [], impacts: [] } })).toMatchObject({
    kind: "locked",
    plans: expect.stringContaining("Starter"),
  });
});

test("The repetition of an alert is said in its largest unit", () => {
  const { condition } = create({});
  expect(formatRepeat({ condition, cooldownS: null })).toBe("once");
  expect(formatRepeat({ condition, cooldownS: 60 })).toBe("at most every minute");
  expect(formatPeriod(90)).toBe("90 seconds");
  expect(formatPeriod(900)).toBe("15 minutes");
  expect(formatPeriod(14_400)).toBe("4 hours");
  expect(formatPeriod(604_800)).toBe("7 days");
});
