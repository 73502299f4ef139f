import type { AuditLine } from "@/features/audit/types";
import type { Account } from "@/lib/access/accounts/account";
import type { AuditEvent } from "@/lib/access/audit-event";
import { getRuntime } from "@/lib/runtime";

/** Replaces ids in events by names. An id that this account may not see keeps its place or becomes "the operator". */
export async function readAuditLines(events: readonly AuditEvent[], account: Account): Promise<AuditLine[]> {
  const { overview, keys } = await getRuntime();
  const isOperator = account.role === "operator";
  const emails = isOperator ? await overview.findEmails(events) : new Map([[account.id, account.email]]);
  const visibleKeys = isOperator ? await overview.findKeys(events) : await keys.list(account.id);
  const keysById = new Map(visibleKeys.map((key) => [key.id, key]));
  return events.map(({ seq, atMs, event, actor, accountId, keyId, address, before, after }) => {
    const key = keyId === null ? undefined : keysById.get(keyId);
    const what = key === undefined ? (emails.get(accountId) ?? accountId) : `${key.label} …${key.last4}`;
    const by = actor === account.id ? "you" : (emails.get(actor) ?? (isOperator ? actor : "the operator"));
    return { seq, atMs, event, by, address, what, before, after };
  });
}
