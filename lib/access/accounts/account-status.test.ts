import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AccountStatus, createAccountStatus } from "@/lib/access/accounts/account-status";
import { type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials, type Credentials } from "@/lib/access/accounts/credentials";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createDirectory, type Directory } from "@/lib/access/admission/directory";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { hashSecret } from "@/lib/access/secret";
import { cheapPasswords, readAuditKeys, someAccount, someKey } from "@/lib/access/testing/test-accounts";
import { createUsage } from "@/lib/access/usage/usage";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const PASSWORD = "correct horse battery";

describe("the status of accounts", () => {
  let accounts: Accounts;
  let credentials: Credentials;
  let accountStatus: AccountStatus;
  let directory: Directory;
  let operatorId: string;

  beforeAll(async () => {
    directory = createDirectory(testDatabase.db, { now: Date.now, log: silentLog });
    accounts = createAccounts(testDatabase.db, { now: Date.now, directory, passwords: cheapPasswords });
    credentials = createCredentials(testDatabase.db, { now: Date.now, directory, passwords: cheapPasswords });
    accountStatus = createAccountStatus(testDatabase.db, { now: Date.now, directory });
    operatorId = (await accounts.create({ email: "operator@example.com", password: PASSWORD })).id;
  });

  test("A suspension has a reason, which the account shows until it is resumed", async () => {
    const { id } = await someAccount(testDatabase.db);
    expect(
      await accountStatus.setSuspended(id, true, { kind: "owner", accountId: operatorId }, " unpaid "),
    ).toMatchObject({
      suspendedReason: "unpaid",
    });
    expect(await accountStatus.setSuspended(id, true, OPERATOR_CLI, "again")).toMatchObject({
      suspendedReason: "unpaid",
    });
    expect(await accountStatus.setSuspended(id, false, OPERATOR_CLI, "paid")).toMatchObject({ suspendedReason: null });
    const [resumed, suspended] = await createAuditLog(testDatabase.db).list({ accountId: id, limit: 2 });
    expect(suspended).toMatchObject({ event: "account.suspend", actor: operatorId, after: { reason: "unpaid" } });
    expect(resumed).toMatchObject({ event: "account.resume", before: { reason: "unpaid" }, after: { reason: "paid" } });
    for (const reason of ["x".repeat(201), "two\nlines"]) {
      await expect(accountStatus.setSuspended(id, true, OPERATOR_CLI, reason)).rejects.toMatchObject({
        code: "invalid_reason",
      });
    }
  });

  test("The last operator can be neither suspended nor demoted nor closed", async () => {
    const lastOperator = { code: "last_operator" };
    await expect(accountStatus.setSuspended(operatorId, true)).rejects.toMatchObject(lastOperator);
    await expect(accountStatus.close(operatorId, { kind: "owner", accountId: operatorId })).rejects.toMatchObject(
      lastOperator,
    );
    await expect(accountStatus.setRole(operatorId, "member")).rejects.toMatchObject(lastOperator);
    const { id } = await someAccount(testDatabase.db);
    await accountStatus.setRole(id, "operator");
    await accountStatus.setSuspended(id, true);
    await expect(accountStatus.close(operatorId)).rejects.toMatchObject(lastOperator);
    await accountStatus.setSuspended(id, false);
    expect(await accountStatus.setRole(id, "member")).toMatchObject({ role: "member" });
  });

  test("If two operators are closed at the same time, one is refused", async () => {
    const { id } = await someAccount(testDatabase.db);
    await accountStatus.setRole(id, "operator");
    const closing = await Promise.allSettled([accountStatus.close(id), accountStatus.close(operatorId)]);
    expect(closing.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const operators = (await accounts.list()).filter(({ role }) => role === "operator");
    expect(operators).toHaveLength(1);
    operatorId = operators[0]?.id ?? "";
  });

  test("A closed account leaves nothing in the database or in memory except audit events", async () => {
    const { id, email } = await someAccount(testDatabase.db, "pro");
    const other = await someAccount(testDatabase.db);
    const [key, otherKey] = [await someKey(testDatabase.db, id), await someKey(testDatabase.db, other.id)];
    await directory.refresh();
    const [entry, otherEntry] = [directory.key(key.id), directory.key(otherKey.id)];
    if (entry === undefined || otherEntry === undefined) throw new Error("the directory does not have the keys");
    const usage = createUsage(testDatabase.db, { now: Date.now, log: silentLog, directory });
    usage.count(entry, "/v1/quote", 200, 1);
    await usage.flush();
    const otherDirectory = createDirectory(testDatabase.db, { now: Date.now, log: silentLog });
    await otherDirectory.refresh();
    usage.count(entry, "/v1/quote", 200, 1);
    usage.count(otherEntry, "/v1/quote", 200, 1);

    await accountStatus.close(id, { kind: "owner", accountId: operatorId });
    await usage.flush();

    expect(await countRows(testDatabase, id)).toEqual({});
    expect(await testDatabase.db.prisma.usageHour.count({ where: { accountId: other.id } })).toBe(1);
    expect(await accounts.find(id)).toBeNull();
    expect(await credentials.authenticate(email, PASSWORD)).toBeNull();
    expect(entry.revoked).toBe(true);
    expect([directory.find(hashSecret(key.secret)), directory.key(key.id), directory.account(id)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(otherDirectory.find(hashSecret(key.secret))?.revoked).toBe(false);
    await otherDirectory.refresh();
    expect(otherDirectory.find(hashSecret(key.secret))).toBeUndefined();
    expect(otherDirectory.account(id)).toBeUndefined();
    expect(otherDirectory.find(hashSecret(otherKey.secret))?.revoked).toBe(false);

    const audit = createAuditLog(testDatabase.db);
    const [closed] = await audit.list({ accountId: id, limit: 1 });
    expect(closed).toMatchObject({ event: "account.close", actor: operatorId, before: { plan: "pro" }, after: null });
    expect(await audit.verify(await readAuditKeys(testDatabase.db))).toMatchObject({ problem: null });
    await expect(accountStatus.close(id)).rejects.toMatchObject({ code: "account_not_found" });
    expect(await accounts.create({ email, password: PASSWORD })).toMatchObject({ email, role: "member", plan: "free" });
  });

  test("The audit log holds no e-mail address", async () => {
    const events = await createAuditLog(testDatabase.db).list({ limit: 1_000 });
    expect(events.length).toBeGreaterThan(10);
    expect(JSON.stringify(events)).not.toContain("@");
  });

  test("Every table with accounts or keys deletes their rows with them", async () => {
    // "leaving" are the tables whose rows are deleted with accounts and keys, directly or through another table.
    const { rows } = await testDatabase.db.pool.query<{ name: string }>(
      `WITH RECURSIVE leaving AS (
         SELECT oid FROM pg_class WHERE oid IN ('account'::regclass, 'api_key'::regclass)
          UNION SELECT conrelid FROM pg_constraint, leaving
                 WHERE contype = 'f' AND confdeltype = 'c' AND confrelid = leaving.oid
       )
       SELECT DISTINCT table_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name IN ('account_id', 'key_id')
          AND to_regclass(quote_ident(table_name)) NOT IN (SELECT oid FROM leaving)`,
    );
    // The log is never changed. An import stays, and forgets who began it. Minute windows hold no personal data and are
    // deleted within minutes.
    expect(rows.map(({ name }) => name).sort()).toEqual(["audit_event", "import_run", "minute_window"]);
  });
});

/** Counts the rows of this account by table, without the audit log, from which nothing is deleted. */
async function countRows({ db }: TestDatabase, accountId: string): Promise<Record<string, number>> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name = 'account_id' AND table_name <> 'audit_event'`,
  );
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(["api_key", "usage_hour"]));
  const left: Record<string, number> = {};
  for (const { name } of rows) {
    const counted = await db.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM "${name}" WHERE account_id = $1`,
      [accountId],
    );
    const count = counted.rows[0]?.count ?? 0;
    if (count > 0) left[name] = count;
  }
  return left;
}
