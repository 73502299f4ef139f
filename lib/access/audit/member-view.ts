import type { AuditEvent } from "@/lib/access/audit-event";
import { isId } from "@/lib/access/id";

/** An event as a member sees it. The account and the network address of an operator who made the change are left out. */
export function toMemberView(event: AuditEvent, accountId: string): AuditEvent {
  const isOperators = isId(event.actor) && event.actor !== accountId;
  return isOperators ? { ...event, actor: "the operator", address: null } : event;
}
