import { AccessError } from "@/lib/access/access-error";
import { toAccountFacts } from "@/lib/access/accounts/account";
import type { Actor } from "@/lib/access/actor";
import type { Facts } from "@/lib/access/audit-event";
import { isId } from "@/lib/access/id";
import { type EventName, record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database/database";
import type { Account as AccountRow, Prisma } from "@/prisma/generated/client";

/** One account inside the transaction that changes it. */
interface AccountChange {
  readonly row: AccountRow;
  readonly transaction: Prisma.TransactionClient;
  readonly revision: bigint;
  /** Writes the change and its audit event. `facts` are added to the event. */
  save(event: EventName, data: AccountData, facts?: Facts): Promise<AccountRow>;
}

export type AccountData = Partial<Omit<AccountRow, "id">>;

interface Target {
  readonly id: string;
  readonly by: Actor;
  readonly atMs: number;
}

/** Runs one change to one account. Rejects with the AccessError "account_not_found" if there is none. */
export async function changeAccount<Result>(
  database: Database,
  { id, by, atMs }: Target,
  work: (account: AccountChange) => Promise<Result>,
): Promise<Result> {
  if (!isId(id)) throw createNotFoundError();
  return change(database, async (transaction, revision) => {
    const row = await transaction.account.findUnique({ where: { id } });
    if (row === null) throw createNotFoundError();
    const save: AccountChange["save"] = async (event, data, facts = {}) => {
      const changed = await transaction.account.update({ where: { id }, data: { ...data, revision } });
      const [before, after] = [toAccountFacts(row), { ...toAccountFacts(changed), ...facts }];
      await record(transaction, { atMs, event, by, accountId: id, before, after });
      return changed;
    };
    return work({ row, transaction, revision, save });
  });
}

function createNotFoundError(): AccessError {
  return new AccessError("account_not_found", "There is no such account.");
}
