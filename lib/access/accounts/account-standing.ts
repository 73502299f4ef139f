import { AccessError } from "@/lib/access/access-error";
import { type Account, factsOf, viewAt } from "@/lib/access/accounts/account";
import { changeAccount } from "@/lib/access/accounts/account-change";
import { type Actor, OPERATOR_CLI } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/audit";
import type { Onlooker } from "@/lib/access/revision";
import { endSessions } from "@/lib/access/sign-in/account-sessions";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import type { Account as AccountRow, Prisma } from "@/prisma/generated/client";

/**
 * Whether an account may go on, and as what. An installation always keeps one operator who can sign in: whatever would
 * take away the last one is refused with the AccessError "last_operator", whoever asks.
 */

interface Options {
  readonly now: Clock;
  readonly directory?: Onlooker | undefined;
}

const maxReasonLength = 200;
/** Rows of usage removed by one statement: an account of years has a million. */
const usageRowsAtOnce = 20_000;

export function createStanding(database: Database, { now, directory }: Options) {
  return {
    /**
     * Refuses, or accepts again, every call made with the account's keys, and its sign-ins. The reason is kept in the
     * audit log, and with the account while it is suspended.
     */
    async setSuspended(id: string, suspended: boolean, by: Actor = OPERATOR_CLI, given = ""): Promise<Account> {
      const reason = checkReason(given);
      const row = await changeAccount(database, id, async ({ row, transaction, save }) => {
        if ((row.suspendedAt !== null) === suspended) return row;
        if (suspended) await requireOtherOperator(transaction, row, "suspended");
        const standing = { suspendedAt: new Date(now()), suspendedReason: reason };
        if (suspended) {
          const ended = await endSessions(transaction, id, { allBut: undefined });
          return save(now(), "account.suspend", by, standing, ended);
        }
        return save(now(), "account.resume", by, { suspendedAt: null, suspendedReason: null }, { reason });
      });
      await directory?.refresh();
      return viewAt(row, now());
    },

    /** Makes an account an operator's, or a member's again. */
    async setRole(id: string, role: Account["role"], by: Actor = OPERATOR_CLI): Promise<Account> {
      const row = await changeAccount(database, id, async ({ row, transaction, save }) => {
        if (row.role === role) return row;
        if (role === "member") await requireOtherOperator(transaction, row, "made a member");
        return save(now(), "account.set_role", by, { role });
      });
      await directory?.refresh();
      return viewAt(row, now());
    },

    /**
     * Deletes an account with everything that is its own. Its keys are refused from that moment on, wherever they are
     * used; the audit log keeps what was done, under an id that leads to nobody any more.
     */
    async close(id: string, by: Actor = OPERATOR_CLI): Promise<void> {
      await changeAccount(database, id, ({ row, transaction }) => requireOtherOperator(transaction, row, "closed"));
      // Years of usage would hold up every other change. Should this be cut short, closing again goes on with it.
      await removeUsage(database, id);
      await changeAccount(database, id, async ({ row, transaction, revision }) => {
        await requireOtherOperator(transaction, row, "closed");
        await record(transaction, { atMs: now(), event: "account.close", by, accountId: id, before: factsOf(row) });
        await transaction.closedAccount.create({ data: { id, revision } });
        // The one it was made with carries the same id, and perhaps the address.
        await transaction.invitation.deleteMany({ where: { id } });
        await transaction.account.delete({ where: { id } });
      });
      await directory?.refresh();
    },
  };
}

async function requireOtherOperator(transaction: Prisma.TransactionClient, row: AccountRow, deed: string) {
  if (row.role !== "operator" || row.suspendedAt !== null) return;
  const others = { role: "operator", suspendedAt: null, id: { not: row.id } } as const;
  if ((await transaction.account.count({ where: others })) > 0) return;
  throw new AccessError("last_operator", `This is the only operator left, so it cannot be ${deed}.`);
}

/** In the order in which usage is written, so that neither waits for the other in a circle. */
async function removeUsage({ pool }: Database, accountId: string): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM usage_hour
        WHERE (key_id, hour, endpoint, status) IN (
                SELECT key_id, hour, endpoint, status FROM usage_hour WHERE account_id = $1
                 ORDER BY key_id, hour, endpoint, status LIMIT ${usageRowsAtOnce} FOR UPDATE)`,
      [accountId],
    );
    if ((rowCount ?? 0) < usageRowsAtOnce) return;
  }
}

/** Null where none is given. */
function checkReason(text: string): string | null {
  const reason = text.trim();
  if ([...reason].length > maxReasonLength || /[\p{C}\p{Zl}\p{Zp}]/u.test(reason)) {
    throw new AccessError("invalid_reason", `Give a reason of at most ${maxReasonLength} visible characters.`);
  }
  return reason === "" ? null : reason;
}
