import { expect, test } from "vitest";
import { HealthCheck, HEALTHY, listProblems } from "@/lib/api/service/health-check";

test("All callers of a second share one check, also while it runs", async () => {
  let nowMs = 0;
  let checks = 0;
  let answer = () => {};
  const health = new HealthCheck(
    {
      database: async () => {
        checks++;
        await new Promise<void>((resolve) => (answer = resolve));
        return HEALTHY;
      },
    },
    () => nowMs,
  );
  const waiting = Array.from({ length: 1_000 }, () => health.read());
  nowMs = 60_000;
  waiting.push(health.read());
  answer();
  const [first] = await Promise.all(waiting);
  expect(checks).toBe(1);
  nowMs += 999;
  expect(health.read()).toBe(first);
  nowMs += 1;
  const next = health.read();
  answer();
  expect(await next).not.toBe(first);
  expect(checks).toBe(2);
});

test("The health is as bad as the worst component, and a check that fails is down", async () => {
  const health = new HealthCheck({ feeds: () => HEALTHY }, () => 0);
  health.add("pages", () => ({ status: "degraded", detail: "they are starting" }));
  expect(await health.read()).toMatchObject({ status: "degraded" });
  const worse = new HealthCheck(
    { database: () => Promise.reject(new Error("no answer")), feeds: () => HEALTHY },
    () => 0,
  );
  const { status, components } = await worse.read();
  expect({ status, problems: listProblems(components) }).toEqual({
    status: "down",
    problems: ["database down: no answer"],
  });
});
