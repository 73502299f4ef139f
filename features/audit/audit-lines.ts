import type { AuditLine } from "@/features/audit/audit-list";
import type { Account } from "@/lib/access/accounts/accounts";
import type { AuditEvent } from "@/lib/access/audit/audit-chain";
import { getRuntime } from "@/lib/runtime";

/** Events with names in place of ids, as far as this account may know them. */
export async function auditLines(events: readonly AuditEvent[], account: Account): Promise<AuditLine[]> {
  const { overview, keys } = await getRuntime();
  const isOperator = account.role === "operator";
  const emails = isOperator ? await overview.emailsIn(events) : new Map([[account.id, account.email]]);
  const known = isOperator ? await overview.keysIn(events) : await keys.list(account.id);
  const labels = new Map(known.map((key) => [key.id, key]));
  return events.map(({ seq, atMs, event, actor, accountId, keyId, address, before, after }) => {
    const key = keyId === null ? undefined : labels.get(keyId);
    const what = key === undefined ? (emails.get(accountId) ?? accountId) : `${key.label} …${key.last4}`;
    const by = actor === account.id ? "you" : (emails.get(actor) ?? (isOperator ? actor : "the operator"));
    return { seq, atMs, event, by, address, what, before, after };
  });
}
