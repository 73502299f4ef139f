import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAttempts } from "@/lib/access/sign-in/attempts";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

describe.each(databaseKinds)("attempts in %s", (kind) => {
  let testDatabase: TestDatabase;
  let nowMs = Date.UTC(2026, 0, 15);
  const createTestAttempts = () => createAttempts(testDatabase.db, { now: () => nowMs });
  const limit = (name: string, maxAttempts = 2) => ({ name, maxAttempts, windowMs: 600_000 });

  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
  });
  afterAll(() => testDatabase.cleanup());

  test("Each limit allows its attempts per window and returns when the next is possible", async () => {
    const attempts = createTestAttempts();
    const [a, b] = [limit("a"), limit("b")];
    const untilMs = nowMs + 600_000;
    expect(await attempts.take(a)).toMatchObject({ exhausted: null, last: [] });
    expect(await attempts.take(a)).toMatchObject({ exhausted: null, last: [a] });
    nowMs += 300_000;
    expect(await attempts.take(a)).toEqual({ exhausted: a, untilMs, last: [] });
    expect(await attempts.take(b)).toMatchObject({ exhausted: null });
    nowMs += 300_000;
    expect(await attempts.take(a)).toMatchObject({ exhausted: null });
  });

  test("Concurrent attempts cannot exceed a limit", async () => {
    const attempts = createTestAttempts();
    const taken = await Promise.all(Array.from({ length: 20 }, () => attempts.take(limit("crowd", 5))));
    expect(taken.filter(({ exhausted }) => exhausted === null)).toHaveLength(5);
    expect(taken.filter(({ last }) => last.length > 0)).toHaveLength(1);
  });

  test("The limits after an exhausted one are not counted", async () => {
    const attempts = createTestAttempts();
    const [outer, inner] = [limit("outer", 1), limit("inner", 1)];
    await attempts.take(outer);
    expect(await attempts.take(outer, inner)).toMatchObject({ exhausted: outer });
    expect(await attempts.take(inner)).toMatchObject({ exhausted: null });
  });

  test("An attempt can be undone, and a limit reset", async () => {
    const attempts = createTestAttempts();
    const c = limit("c", 1);
    for (let time = 0; time < 3; time++) {
      expect(await attempts.take(c)).toMatchObject({ exhausted: null });
      await attempts.giveBack(c);
    }
    await attempts.take(c);
    await attempts.forget(c);
    expect(await attempts.take(c)).toMatchObject({ exhausted: null });
  });

  test("Counts survive a restart, and old ones are deleted", async () => {
    await createTestAttempts().take(limit("d", 1));
    expect(await createTestAttempts().take(limit("d", 1))).toMatchObject({ exhausted: { name: "d" } });
    nowMs += 600_000;
    await createTestAttempts().take(limit("e"));
    const { rows } = await testDatabase.db.pool.query("SELECT name FROM attempt");
    expect(rows).toEqual([{ name: "e" }]);
  });
});
