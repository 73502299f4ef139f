import { afterEach, expect, test, vi } from "vitest";
import { DEADLINE_MS, HEALTH_MS, HealthCheck, HEALTHY, listProblems } from "@/lib/api/service/health-check";

afterEach(() => vi.useRealTimers());

test("All callers of half a second share one check, also while it runs", async () => {
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
  nowMs += HEALTH_MS - 1;
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

test("A component that does not answer within the deadline is down until it does, and delays nobody again", async () => {
  vi.useFakeTimers();
  const monotonic = () => performance.now();
  let checks = 0;
  let answer = () => {};
  const database = async () => {
    checks++;
    await new Promise<void>((resolve) => (answer = resolve));
    return HEALTHY;
  };
  const health = new HealthCheck({ feeds: () => HEALTHY, database }, monotonic);
  const waiting = [health.read(), health.read()];
  const startedAtMs = monotonic();
  await vi.runAllTimersAsync();
  const [first, second] = await Promise.all(waiting);
  expect(monotonic() - startedAtMs).toBeLessThan(DEADLINE_MS + 10);
  expect(second).toBe(first);
  expect(first?.components).toEqual({ feeds: HEALTHY, database: { status: "down", detail: "it does not answer" } });

  await vi.advanceTimersByTimeAsync(60_000);
  const readAtMs = monotonic();
  expect(await health.read()).toMatchObject({ status: "down" });
  expect(monotonic()).toBe(readAtMs);
  expect(checks).toBe(1);

  answer();
  await vi.advanceTimersByTimeAsync(60_000);
  const next = health.read();
  answer();
  expect(await next).toMatchObject({ status: "ok" });
  expect(checks).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});

test("An answer that arrives while the process is paused beyond the deadline counts", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let answer = () => {};
  const database = () => new Promise<typeof HEALTHY>((resolve) => (answer = () => resolve(HEALTHY)));
  const reading = new HealthCheck({ database }, () => 0).read();
  vi.advanceTimersByTime(DEADLINE_MS);
  // The system's answers are read after the timers of a turn.
  answer();
  expect(await reading).toMatchObject({ status: "ok" });
});
