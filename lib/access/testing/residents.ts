import { createAccounts, type Account } from "@/lib/access/accounts";
import { createKeys, type CreatedKey, type NewKey } from "@/lib/access/keys";
import { createPasswords } from "@/lib/access/passwords";
import type { PlanName } from "@/lib/access/plans";
import type { Database } from "@/lib/platform/database";

/** Accounts and keys for tests that need some and do not care which. */

/** Hashes at hardly any cost: what a test waits for should be what it tests. */
export const cheapPasswords = createPasswords({ logN: 4, r: 8, p: 1 });

let made = 0;

export async function someAccount(db: Database, plan: PlanName = "free", now = Date.now): Promise<Account> {
  made += 1;
  const accounts = createAccounts(db, { now, passwords: cheapPasswords });
  return accounts.create({
    email: `person-${made}-${process.pid}@example.com`,
    password: "correct horse battery",
    plan,
  });
}

export function someKey(db: Database, accountId: string, asked: Partial<NewKey> = {}): Promise<CreatedKey> {
  return createKeys(db, { now: Date.now }).create({ accountId, label: "a key", scopes: ["all"], ...asked });
}
