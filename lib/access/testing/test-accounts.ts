import { type Account, createAccounts } from "@/lib/access/accounts/accounts";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import { type AuditKey, deriveAuditKeys } from "@/lib/access/audit/audit-keys";
import { type CreatedKey, createKeys, type NewKey } from "@/lib/access/keys/keys";
import type { KeyKind, PlanName } from "@/lib/access/plans";
import { createPasswords } from "@/lib/access/sign-in/passwords";
import type { Database } from "@/lib/platform/database/database";

/** Creates accounts and keys for tests whose details do not matter. */

/** Hashes passwords fast, so that tests do not wait for them. */
export const cheapPasswords = createPasswords({ logN: 4, r: 8, p: 1 });

let created = 0;

export async function someAccount(db: Database, plan: PlanName = "free", now = Date.now): Promise<Account> {
  created += 1;
  const accounts = createAccounts(db, { now, passwords: cheapPasswords });
  return accounts.create({
    email: `person-${created}-${process.pid}@example.com`,
    password: "correct horse battery",
    plan,
  });
}

export function someKey(db: Database, accountId: string, input: Partial<NewKey> = {}): Promise<CreatedKey> {
  return createKeys(db, { now: Date.now }).create({ accountId, label: "a key", scopes: ["all"], ...input });
}

/** Creates a key and returns its entry in the directory. Without an owner it creates an account too. */
export async function someEntry(
  db: Database,
  directory: Directory,
  { owner, kind = "standard" }: { owner?: string; kind?: KeyKind } = {},
): Promise<KeyEntry> {
  const { id } = await someKey(db, owner ?? (await someAccount(db, "pro")).id, { kind });
  await directory.refresh();
  const entry = directory.key(id);
  if (entry === undefined) throw new Error("the directory does not have the key");
  return entry;
}

/** The keys under which the events of a test's database are recorded, to verify the audit log with. */
export async function readAuditKeys(db: Database): Promise<{ keys: ReadonlyMap<string, AuditKey> }> {
  return { keys: deriveAuditKeys([await db.readSecret()]) };
}
