import { AccessError } from "@/lib/access/access-error";
import { factsOf } from "@/lib/access/accounts/account";
import type { Actor } from "@/lib/access/actor";
import { type EventName, record } from "@/lib/access/audit/audit";
import type { Facts } from "@/lib/access/audit/audit-chain";
import { change, isId } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database";
import type { Account as AccountRow, Prisma } from "@/prisma/generated/client";

/** One account at the moment of a change: nobody else changes it before the change is over. */
interface Step {
  readonly row: AccountRow;
  readonly transaction: Prisma.TransactionClient;
  readonly revision: bigint;
  /** Writes the change and its event, with what else there is to say about it. */
  save(atMs: number, event: EventName, by: Actor, data: AccountData, note?: Facts): Promise<AccountRow>;
}

export type AccountData = Partial<Omit<AccountRow, "id">>;

/** Runs one change to one account. Rejects with the AccessError "account_not_found" where there is none. */
export async function changeAccount<Result>(
  database: Database,
  id: string,
  work: (step: Step) => Promise<Result>,
): Promise<Result> {
  const notFound = () => new AccessError("account_not_found", "There is no such account.");
  if (!isId(id)) throw notFound();
  return change(database, async (transaction, revision) => {
    const row = await transaction.account.findUnique({ where: { id } });
    if (row === null) throw notFound();
    const save: Step["save"] = async (atMs, event, by, data, note = {}) => {
      const changed = await transaction.account.update({ where: { id }, data: { ...data, revision } });
      const facts = { before: factsOf(row), after: { ...factsOf(changed), ...note } };
      await record(transaction, { atMs, event, by, accountId: id, ...facts });
      return changed;
    };
    return work({ row, transaction, revision, save });
  });
}
