import { AccessError } from "@/lib/access/access-error";
import { type Account, changeAccount, toAccount, toAccountFacts } from "@/lib/access/accounts/account";
import { checkLine } from "@/lib/access/accounts/plan-requests";
import { type Actor, OPERATOR_CLI } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import type { Refreshable } from "@/lib/access/revision";
import { endSessions } from "@/lib/access/sign-in/account-sessions";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import type { Account as AccountRow, Prisma } from "@/prisma/generated/client";

/**
 * Suspends, promotes and closes accounts. An installation always has one operator who can sign in: a change that would
 * remove the last one is refused with the AccessError "last_operator".
 */
export type AccountStatus = ReturnType<typeof createAccountStatus>;

interface Options {
  readonly now: Clock;
  /** Refreshed before a change is acknowledged. */
  readonly directory?: Refreshable;
}

/** Usage rows deleted by one statement: an old account has a million. */
const USAGE_BATCH = 20_000;

export function createAccountStatus(database: Database, { now, directory }: Options) {
  return {
    /**
     * Suspends or resumes an account. While it is suspended, sign-ins and calls with its keys are refused. The audit log
     * keeps the reason, and the account shows it until it is resumed.
     */
    async setSuspended(id: string, suspended: boolean, by: Actor = OPERATOR_CLI, text = ""): Promise<Account> {
      const reason = checkLine(text, "invalid_reason");
      const row = await changeAccount(database, { id, by, atMs: now() }, async ({ row, transaction, save }) => {
        if ((row.suspendedAt !== null) === suspended) return row;
        if (!suspended) return save("account.resume", { suspendedAt: null, suspendedReason: null }, { reason });
        await requireOtherOperator(transaction, row, "suspended");
        const ended = await endSessions(transaction, id, { allBut: undefined });
        return save("account.suspend", { suspendedAt: new Date(now()), suspendedReason: reason }, ended);
      });
      await directory?.refresh();
      return toAccount(row, now());
    },

    async setRole(id: string, role: Account["role"], by: Actor = OPERATOR_CLI): Promise<Account> {
      const row = await changeAccount(database, { id, by, atMs: now() }, async ({ row, transaction, save }) => {
        if (row.role === role) return row;
        if (role === "member") await requireOtherOperator(transaction, row, "made a member");
        return save("account.set_role", { role });
      });
      await directory?.refresh();
      return toAccount(row, now());
    },

    /**
     * Deletes an account with all its data. Its keys are refused from then on. The audit log keeps its events, under an
     * id that no longer leads to a person.
     */
    async close(id: string, by: Actor = OPERATOR_CLI): Promise<void> {
      const target = { id, by, atMs: now() };
      await changeAccount(database, target, ({ row, transaction }) => requireOtherOperator(transaction, row, "closed"));
      // Outside the transaction, because years of usage would block every other change. A second close continues it.
      await deleteUsage(database, id);
      await changeAccount(database, target, async ({ row, transaction, revision }) => {
        await requireOtherOperator(transaction, row, "closed");
        const before = toAccountFacts(row);
        await record(transaction, { atMs: now(), event: "account.close", by, accountId: id, before });
        await transaction.closedAccount.create({ data: { id, revision } });
        // The account's invitation has the same id and may hold its e-mail address.
        await transaction.invitation.deleteMany({ where: { id } });
        await transaction.account.delete({ where: { id } });
      });
      await directory?.refresh();
    },
  };
}

async function requireOtherOperator(transaction: Prisma.TransactionClient, row: AccountRow, action: string) {
  if (row.role !== "operator" || row.suspendedAt !== null) return;
  const others = { role: "operator", suspendedAt: null, id: { not: row.id } } as const;
  if ((await transaction.account.count({ where: others })) > 0) return;
  throw new AccessError("last_operator", `This is the only operator left, so it cannot be ${action}.`);
}

/** Deletes in the order in which usage is written, so that neither can deadlock the other. */
async function deleteUsage({ pool }: Database, accountId: string): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM usage_hour
        WHERE (key_id, hour, endpoint, status) IN (
                SELECT key_id, hour, endpoint, status FROM usage_hour WHERE account_id = $1
                 ORDER BY key_id, hour, endpoint, status LIMIT ${USAGE_BATCH} FOR UPDATE)`,
      [accountId],
    );
    if ((rowCount ?? 0) < USAGE_BATCH) return;
  }
}
