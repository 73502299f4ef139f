import type { Actor, Anonymous } from "@/lib/access/actor";
import { type AuditContent, CHAIN_START, type Facts, hashEvent } from "@/lib/access/audit-event";
import { Prisma } from "@/prisma/generated/client";

export type EventName =
  | `account.${"create" | "set_plan" | "set_limits" | "set_credits" | "set_password" | "set_role"}`
  | `account.${"suspend" | "resume" | "close" | "sign_in_held"}`
  | `account.${"enable" | "disable" | "reset" | "block"}_second_factor`
  | `account.${"renew_recovery_codes" | "use_recovery_code" | "link_identity" | "unlink_identity"}`
  | `key.${"create" | "update" | "rotate" | "disable" | "enable" | "revoke" | "restore"}`
  | `invitation.${"create" | "revoke"}`
  | `session.${"start" | "end" | "revoke" | "revoke_others" | "revoke_all"}`;

export interface NewEvent {
  readonly atMs: number;
  readonly event: EventName;
  readonly by: Actor | Anonymous;
  readonly accountId: string;
  readonly keyId?: string;
  readonly before?: Facts;
  readonly after?: Facts;
}

const CLI_NAME = "operator CLI";
/** A stored value, which must not change. */
const ANONYMOUS_NAME = "somebody";

/**
 * Adds an event to the audit log. Only inside `change`, which serialises writers. The event is in the transaction of its
 * change, so neither exists without the other.
 */
export async function record(transaction: Prisma.TransactionClient, added: NewEvent): Promise<void> {
  const { atMs, event, by, accountId, keyId = null, before = null, after = null } = added;
  const last = await transaction.auditEvent.findFirst({ orderBy: { seq: "desc" }, select: { seq: true, hash: true } });
  const previousHash = last?.hash ?? CHAIN_START;
  const content: AuditContent = {
    seq: Number(last?.seq ?? 0) + 1,
    atMs,
    event,
    actor: nameActor(by),
    accountId,
    keyId,
    address: by.kind === "operator-cli" ? null : (by.address ?? null),
    before,
    after,
  };
  await transaction.auditEvent.create({
    data: {
      seq: content.seq,
      at: new Date(atMs),
      event,
      actor: content.actor,
      accountId,
      keyId,
      address: content.address,
      before: before === null ? Prisma.DbNull : { ...before },
      after: after === null ? Prisma.DbNull : { ...after },
      previousHash,
      hash: hashEvent(previousHash, content),
    },
  });
}

function nameActor(by: Actor | Anonymous): string {
  if (by.kind === "operator-cli") return CLI_NAME;
  return by.kind === "anonymous" ? ANONYMOUS_NAME : by.accountId;
}
