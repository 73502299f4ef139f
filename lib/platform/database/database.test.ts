import { afterAll, describe, expect, test } from "vitest";
import { openTestDatabase } from "../testing/databases";
import { isDatabaseUnavailable } from "./database-errors";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

describe("the database", () => {
  test("returns every model as it was stored", async () => {
    const { prisma } = testDatabase.db;
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
    expect(await prisma.usageHour.count()).toBe(0);
  });

  test("starts with the one row of the access revision", async () => {
    const { prisma } = testDatabase.db;
    expect(await prisma.accessRevision.findMany()).toEqual([{ id: 1, value: 0n }]);
    await prisma.accessRevision.update({ where: { id: 1 }, data: { value: { increment: 1 } } });
    expect(await prisma.accessRevision.findUnique({ where: { id: 1 } })).toEqual({ id: 1, value: 1n });
  });

  test("stores instants independently of the server's time zone", async () => {
    const { pool, prisma } = testDatabase.db;
    await pool.query(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), 'Asia/Tokyo'); END $$",
    );
    const trialEndsAt = new Date("2024-03-31T01:30:00.000Z");
    await prisma.account.create({ data: { email: "tz@example.org", passwordHash: "hash", trialEndsAt } });
    const { rows } = await pool.query(
      "SELECT extract(epoch FROM trial_ends_at)::float8 * 1000 AS ms, trial_ends_at AS at FROM account WHERE email = 'tz@example.org'",
    );
    expect(rows).toEqual([{ ms: trialEndsAt.getTime(), at: trialEndsAt }]);
    expect((await pool.query("SHOW timezone")).rows).toEqual([{ TimeZone: "UTC" }]);
  });

  test("does not mix the statements of concurrent connections, even long ones", async () => {
    const { pool } = testDatabase.db;
    const echo = async (at: number) => {
      if (at % 2 === 0) return (await pool.query("SELECT $1::int AS n", [at])).rows;
      const long = "x".repeat(200_000) + at;
      const { rows } = await pool.query("SELECT $1::text = $2::text AS same, $3::int AS n", [long, long, at]);
      return rows.map((row) => ({ n: row.same ? row.n : null }));
    };
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => echo(at)));
    expect(answers.flat().map((row) => row.n)).toEqual(Array.from({ length: 60 }, (_, at) => at));
  });

  test("isolates transactions", async () => {
    const { prisma, pool } = testDatabase.db;
    const raise = (by: number, fail: boolean) =>
      prisma.$transaction(async (tx) => {
        await tx.accessRevision.update({ where: { id: 1 }, data: { value: { increment: by } } });
        if (fail) throw new Error("changed my mind");
      });
    const before = await prisma.accessRevision.findUniqueOrThrow({ where: { id: 1 } });
    const outcomes = await Promise.allSettled([
      raise(1, false),
      raise(1000, true),
      pool.query("SELECT 1"),
      raise(1, false),
    ]);
    expect(outcomes.map((entry) => entry.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    const after = await prisma.accessRevision.findUniqueOrThrow({ where: { id: 1 } });
    expect(after.value - before.value).toBe(2n);
  });

  test("continues when a connection is dropped in the middle of a transaction", async () => {
    const { pool } = testDatabase.db;
    const client = await pool.connect();
    await client.query("BEGIN");
    await client.query("INSERT INTO setting VALUES ('dropped', '1')");
    client.release(new Error("dropped"));
    await expect.poll(async () => (await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect((await pool.query("SELECT * FROM setting WHERE name = 'dropped'")).rows).toEqual([]);
  });

  test("distinguishes wrong statements from an unavailable database", async () => {
    const { prisma, pool } = testDatabase.db;
    const mistakes = await Promise.allSettled([
      pool.query("SELECT nonsense"),
      prisma.accessRevision.create({ data: { id: 1 } }),
      prisma.$queryRawUnsafe("SELECT nonsense"),
    ]);
    for (const mistake of mistakes) {
      expect(mistake.status).toBe("rejected");
      expect(mistake.status === "rejected" && isDatabaseUnavailable(mistake.reason)).toBe(false);
    }
  });

  test("can be closed twice, and is unavailable afterwards", async () => {
    await testDatabase.db.close();
    await testDatabase.db.close();
    const late = await Promise.allSettled([
      testDatabase.db.pool.query("SELECT 1"),
      testDatabase.db.prisma.setting.count(),
    ]);
    for (const outcome of late)
      expect(outcome.status === "rejected" && isDatabaseUnavailable(outcome.reason)).toBe(true);
  });
});
