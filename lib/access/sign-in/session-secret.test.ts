import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSessionSecret } from "@/lib/access/sign-in/session-secret";
import { databaseKinds, openTestDatabase } from "@/lib/platform/testing/databases";

describe.each(databaseKinds)("the session secret on %s", (kind) => {
  let testDatabase: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
  });
  afterAll(() => testDatabase.cleanup());

  test("The session secret is created once, and is the same for all processes", async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, () => loadSessionSecret(testDatabase.db)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]?.length).toBeGreaterThanOrEqual(64);
    expect(await loadSessionSecret(testDatabase.db)).toBe(secrets[0]);
  });
});
