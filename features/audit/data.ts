import { type AuditLine, type AuditView, toAuditFilter } from "@/features/audit/url";
import type { Account } from "@/lib/access/accounts/account";
import { toMemberView } from "@/lib/access/audit/audit-filter";
import { type AuditEvent, NO_ACCOUNT } from "@/lib/access/audit/record";
import { getRuntime } from "@/lib/runtime";

/** The newest events of a view: operators find all of them, other accounts their own. */
export async function listEvents(view: AuditView, account: Account, limit: number): Promise<readonly AuditEvent[]> {
  const { audit } = await getRuntime();
  return audit.list({
    accountId: account.role === "operator" ? undefined : account.id,
    beforeSeq: view.beforeSeq ?? undefined,
    matching: { filter: toAuditFilter(view), reader: account },
    limit,
  });
}

/** Leaves out of events what this account may not see. */
export function limitToAccount(events: readonly AuditEvent[], { id, role }: Account): readonly AuditEvent[] {
  return role === "operator" ? events : events.map((event) => toMemberView(event, id));
}

/** Replaces ids in events by names. An id that this account may not see keeps its place or becomes "the operator". */
export async function readAuditLines(events: readonly AuditEvent[], account: Account): Promise<AuditLine[]> {
  const { overview, keys } = await getRuntime();
  const isOperator = account.role === "operator";
  const emails = isOperator ? await overview.findEmails(events) : new Map([[account.id, account.email]]);
  const visibleKeys = isOperator ? await overview.findKeys(events) : await keys.list(account.id);
  const keysById = new Map(visibleKeys.map((key) => [key.id, key]));
  const visible = limitToAccount(events, account);
  return visible.map(({ seq, atMs, event, actor, accountId, keyId, address, before, after }) => {
    const key = keyId === null ? undefined : keysById.get(keyId);
    const whose =
      accountId === NO_ACCOUNT ? String(after?.["source"] ?? "sources") : (emails.get(accountId) ?? accountId);
    const what = key === undefined ? whose : `${key.label} …${key.last4}`;
    const by = actor === account.id ? "you" : (emails.get(actor) ?? actor);
    return { seq, atMs, event, by, address, what, before, after };
  });
}
