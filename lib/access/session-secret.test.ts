import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds, openTestDatabase } from "@/lib/platform/testing/databases";
import { loadSessionSecret } from "@/lib/access/session-secret";

describe.each(databaseKinds)("the session secret on %s", (kind) => {
  let place: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    place = await openTestDatabase(kind);
  });
  afterAll(() => place.cleanup());

  it("is made once, long, and the same for all who start together", async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, () => loadSessionSecret(place.db)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]?.length).toBeGreaterThanOrEqual(64);
    expect(await loadSessionSecret(place.db)).toBe(secrets[0]);
  });
});
