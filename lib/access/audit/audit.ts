import type { Actor, Anonymous } from "@/lib/access/actor";
import {
  type AuditContent,
  type AuditEvent,
  CHAIN_START,
  type Facts,
  followChain,
  hashEvent,
} from "@/lib/access/audit/audit-chain";
import { isId } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database";
import { type AuditEvent as AuditRow, Prisma } from "@/prisma/generated/client";

/**
 * The audit log: who changed which account or key, when, from where, and what it was before and after. An event is
 * written in the transaction of its change, so that neither is ever without the other.
 */

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
const ANONYMOUS_NAME = "somebody";

/** Adds an event to the chain. Only within `change`, which lets one writer in at a time. */
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

export interface AuditQuery {
  /** Only what was done to, or by, this account. */
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  /** Only events before this one. */
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

export interface AuditVerdict {
  /** Null when every event is in its place and as it was written. */
  readonly problem: string | null;
  /** Events found in order. */
  readonly events: number;
  /** The hash of the last of them: keep it elsewhere, and a log that was cut short cannot pass later. */
  readonly head: string;
}

export type AuditLog = ReturnType<typeof createAuditLog>;

const pageSize = 500;

export function createAuditLog(database: Database) {
  const events = database.prisma.auditEvent;

  /** Every event, or those of one account, oldest first, read in pages: the log may be longer than memory. */
  async function* readAll(accountId?: string): AsyncGenerator<AuditEvent> {
    const those = ofAccount(accountId);
    for (let after = -1n; ;) {
      const rows = await events.findMany({
        where: { ...those, seq: { gt: after } },
        orderBy: { seq: "asc" },
        take: pageSize,
      });
      for (const row of rows) yield viewOf(row);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.seq;
    }
  }

  return {
    /** The events asked for, newest first. */
    async list({ accountId, keyId, beforeSeq, limit }: AuditQuery): Promise<AuditEvent[]> {
      if ([accountId, keyId].some((id) => id !== undefined && !isId(id))) return [];
      const rows = await events.findMany({
        where: {
          ...ofAccount(accountId),
          ...(keyId === undefined ? {} : { keyId }),
          ...(beforeSeq === undefined ? {} : { seq: { lt: beforeSeq } }),
        },
        orderBy: { seq: "desc" },
        take: limit,
      });
      return rows.map(viewOf);
    },

    readAll,

    /** Checks the whole chain. `noted` is the head of an earlier check, which must still be part of it. */
    async verify(noted?: string): Promise<AuditVerdict> {
      const chain = followChain();
      let count = 0;
      let isNotedFound = noted === undefined || noted === CHAIN_START;
      for await (const event of readAll()) {
        const problem = chain.problemWith(event);
        if (problem !== null) return { problem, events: count, head: chain.head };
        count += 1;
        isNotedFound ||= event.hash === noted;
      }
      const problem = isNotedFound ? null : "The event with the hash given is not in the log: its end was cut off.";
      return { problem, events: count, head: chain.head };
    },
  };
}

function ofAccount(accountId: string | undefined) {
  return accountId === undefined ? {} : { OR: [{ accountId }, { actor: accountId }] };
}

function viewOf(row: AuditRow): AuditEvent {
  const { at, seq, before, after, ...rest } = row;
  return {
    ...rest,
    seq: Number(seq),
    atMs: at.getTime(),
    before: before as Facts | null,
    after: after as Facts | null,
  };
}
