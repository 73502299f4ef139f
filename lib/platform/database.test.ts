import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds, openTestDatabase, type TestDatabase } from "./testing/databases";

describe.each(databaseKinds)("the %s database", (kind) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(kind);
  });
  afterAll(() => test.cleanup());

  it("gives every model back as it was stored", async () => {
    const { prisma } = test.db;
    const at = new Date("2024-03-31T01:59:59.123Z");
    const account = await prisma.account.create({
      data: { email: "ada@example.org", passwordHash: "hash", trialEndsAt: at, perDayLimit: 2_147_483_647 },
    });
    expect(account).toMatchObject({
      role: "member",
      plan: "free",
      perMinuteLimit: null,
      revision: 0n,
      trialEndsAt: at,
    });
    expect(Math.abs(account.createdAt.getTime() - Date.now())).toBeLessThan(60_000);
    const key = await prisma.apiKey.create({
      data: {
        accountId: account.id,
        label: "desk",
        kind: "tool",
        secretHash: "abc",
        start: "fxk_live_3f9a",
        last4: "Qx7b",
        scopes: ["quotes", "historical"],
        allowedCidrs: ["10.0.0.0/8", "2001:db8::/32"],
        expiresAt: at,
      },
    });
    expect(await prisma.apiKey.findUnique({ where: { secretHash: "abc" } })).toEqual(key);
    expect(key).toMatchObject({ scopes: ["quotes", "historical"], expiresAt: at, revokedAt: null, lastUsedAt: null });
    const hour = {
      keyId: key.id,
      accountId: account.id,
      hour: at,
      endpoint: "/v1/quote",
      status: 200,
      calls: 3,
      credits: 3,
    };
    expect(await prisma.usageHour.create({ data: hour })).toEqual(hour);
    const setting = { name: "session_secret", value: "s" };
    expect(await prisma.setting.create({ data: setting })).toEqual(setting);
    await prisma.account.delete({ where: { id: account.id } });
    expect(await prisma.apiKey.count()).toBe(0);
  });

  it("starts with the one row that numbers the changes of access", async () => {
    const { prisma } = test.db;
    expect(await prisma.accessRevision.findMany()).toEqual([{ id: 1, value: 0n }]);
    await prisma.accessRevision.update({ where: { id: 1 }, data: { value: { increment: 1 } } });
    expect(await prisma.accessRevision.findUnique({ where: { id: 1 } })).toEqual({ id: 1, value: 1n });
  });
});
