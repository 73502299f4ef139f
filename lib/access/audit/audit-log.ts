import { type AuditEvent, CHAIN_START, type Facts, hashEvent } from "@/lib/access/audit-event";
import { isId } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database";
import type { AuditEvent as AuditRow } from "@/prisma/generated/client";

/** Reads and verifies the audit log: who changed which account or key, when, from where, before and after. */

export interface AuditQuery {
  /** Only events about, or by, this account. */
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  /** Only events before this one. */
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

export interface AuditVerdict {
  /** Null if the chain is valid. */
  readonly problem: string | null;
  /** The number of valid events. */
  readonly events: number;
  /** The hash of the last valid event. Noted elsewhere, it reveals later whether the end was removed. */
  readonly head: string;
}

export type AuditLog = ReturnType<typeof createAuditLog>;

const PAGE_SIZE = 500;

export function createAuditLog(database: Database) {
  const events = database.prisma.auditEvent;

  /** Every event, or those of one account, oldest first. Reads in pages, because the log may not fit in memory. */
  async function* readAll(accountId?: string): AsyncGenerator<AuditEvent> {
    const filter = createAccountFilter(accountId);
    for (let after = -1n; ;) {
      const rows = await events.findMany({
        where: { ...filter, seq: { gt: after } },
        orderBy: { seq: "asc" },
        take: PAGE_SIZE,
      });
      for (const row of rows) yield toAuditEvent(row);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.seq;
    }
  }

  return {
    /** Matching events, newest first. */
    async list({ accountId, keyId, beforeSeq, limit }: AuditQuery): Promise<AuditEvent[]> {
      if ([accountId, keyId].some((id) => id !== undefined && !isId(id))) return [];
      const rows = await events.findMany({
        where: {
          ...createAccountFilter(accountId),
          ...(keyId === undefined ? {} : { keyId }),
          ...(beforeSeq === undefined ? {} : { seq: { lt: beforeSeq } }),
        },
        orderBy: { seq: "desc" },
        take: limit,
      });
      return rows.map(toAuditEvent);
    },

    readAll,

    /** Checks the whole chain. `noted` is the head of an earlier check, which must still be in it. */
    async verify(noted?: string): Promise<AuditVerdict> {
      const chain = followChain();
      let count = 0;
      let isNotedFound = noted === undefined || noted === CHAIN_START;
      for await (const event of readAll()) {
        const problem = chain.check(event);
        if (problem !== null) return { problem, events: count, head: chain.head };
        count += 1;
        isNotedFound ||= event.hash === noted;
      }
      const problem = isNotedFound ? null : "The event with the hash given is not in the log: its end was cut off.";
      return { problem, events: count, head: chain.head };
    },
  };
}

function createAccountFilter(accountId: string | undefined) {
  return accountId === undefined ? {} : { OR: [{ accountId }, { actor: accountId }] };
}

function toAuditEvent(row: AuditRow): AuditEvent {
  const { at, seq, before, after, ...rest } = row;
  return {
    ...rest,
    seq: Number(seq),
    atMs: at.getTime(),
    before: before as Facts | null,
    after: after as Facts | null,
  };
}

/** Checks the chain event by event. */
function followChain() {
  let seq = 0;
  let head = CHAIN_START;
  return {
    /** Checks the next event. Returns its problem as a sentence, or null. */
    check(event: AuditEvent): string | null {
      seq += 1;
      if (event.seq !== seq) return `Event ${seq} is missing.`;
      if (event.previousHash !== head) return `Event ${seq} does not follow the event before it.`;
      if (hashEvent(head, event) !== event.hash) return `Event ${seq} is not what was written down.`;
      head = event.hash;
      return null;
    },
    /** The hash of the last valid event. */
    get head() {
      return head;
    },
  };
}
