import { type Account, createAccounts } from "@/lib/access/accounts/accounts";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import { type CreatedKey, createKeys, type NewKey } from "@/lib/access/keys/keys";
import type { KeyKind, PlanName } from "@/lib/access/plans";
import { createPasswords } from "@/lib/access/sign-in/passwords";
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

/** A new key as requests meet it. Without an owner it gets one of its own. */
export async function someEntry(
  db: Database,
  directory: Directory,
  { owner, kind = "standard" }: { owner?: string; kind?: KeyKind } = {},
): Promise<KeyEntry> {
  const { id } = await someKey(db, owner ?? (await someAccount(db, "pro")).id, { kind });
  await directory.refresh();
  const entry = directory.key(id);
  if (entry === undefined) throw new Error("the key is not known");
  return entry;
}
