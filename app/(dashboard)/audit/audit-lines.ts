import type { AuditLine } from "@/components/keys/audit-list";
import type { Account } from "@/lib/access/accounts";
import type { AuditEvent } from "@/lib/access/audit-chain";
import { getRuntime } from "@/lib/runtime";

/** Events with names in place of ids, as far as this account may know them. */
export async function auditLines(events: readonly AuditEvent[], account: Account): Promise<AuditLine[]> {
  const { accounts, keys } = await getRuntime();
  const isOperator = account.role === "operator";
  const known = isOperator ? await accounts.list() : [account];
  const emails = new Map(known.map(({ id, email }) => [id, email]));
  const labels = new Map((await keys.list(isOperator ? undefined : account.id)).map((key) => [key.id, key]));
  return events.map(({ seq, atMs, event, actor, accountId, keyId, address, before, after }) => {
    const key = keyId === null ? undefined : labels.get(keyId);
    const what = key === undefined ? (emails.get(accountId) ?? accountId) : `${key.label} …${key.last4}`;
    const by = actor === account.id ? "you" : (emails.get(actor) ?? actor);
    return { seq, atMs, event, by, address, what, before, after };
  });
}
