import { type AuditEvent, CHAIN_START, type Facts } from "@/lib/access/audit-event";
import type { AuditKey } from "@/lib/access/audit-key";
import { type AuditFilter, type AuditReader, findConditions } from "@/lib/access/audit/audit-filter";
import type { EventHash } from "@/lib/access/audit/audit-hashes";
import { followChain, followCopy } from "@/lib/access/audit/verify-chain";
import { isId } from "@/lib/access/id";
import type { Database } from "@/lib/platform/database/database";
import type { AuditEvent as AuditRow } from "@/prisma/generated/client";

/** Reads and verifies the audit log: who changed which account or key, when, from where, before and after. */

export interface AuditQuery {
  /** Only events about, or by, this account. */
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  /** Only events before this one. */
  readonly beforeSeq?: number | undefined;
  /** Only events that match, for this reader. */
  readonly matching?: { readonly filter: AuditFilter; readonly reader: AuditReader } | undefined;
  readonly limit: number;
}

export interface AuditVerdict {
  /** Null if the chain is valid. */
  readonly problem: string | null;
  /** The number of valid events. */
  readonly events: number;
  /** The hash of the last valid event. Noted elsewhere, it reveals later whether the end was removed. */
  readonly head: string;
  /** The number of valid events before the first with a key: only copied hashes protect these. */
  readonly withoutKey: number;
  /** The number of events whose hash was copied. */
  readonly copied: number;
}

interface VerifyOptions {
  /** The known keys by their ids. */
  readonly keys: ReadonlyMap<string, AuditKey>;
  readonly noted?: string | undefined;
  readonly copied?: AsyncIterable<EventHash>;
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
    async list({ accountId, keyId, beforeSeq, matching, limit }: AuditQuery): Promise<AuditEvent[]> {
      if ([accountId, keyId].some((id) => id !== undefined && !isId(id))) return [];
      const conditions =
        matching === undefined ? [] : await findConditions(database.prisma, matching.filter, matching.reader);
      const rows = await events.findMany({
        where: {
          ...createAccountFilter(accountId),
          ...(keyId === undefined ? {} : { keyId }),
          ...(beforeSeq === undefined ? {} : { seq: { lt: beforeSeq } }),
          AND: conditions,
        },
        orderBy: { seq: "desc" },
        take: limit,
      });
      return rows.map(toAuditEvent);
    },

    readAll,

    /**
     * Checks the whole chain, every hash with its key. `noted` is the head of an earlier check, which must still be in it. `copied` are hashes
     * that were copied elsewhere, in the order of their events, which must still be the same.
     */
    async verify({ keys, noted, copied }: VerifyOptions): Promise<AuditVerdict> {
      const chain = followChain(keys);
      const copy = copied === undefined ? null : followCopy(copied);
      const judge = (problem: string | null): AuditVerdict => {
        const { events, head, withoutKey } = chain;
        return { problem, events, head, withoutKey, copied: copy?.count ?? 0 };
      };
      let isNotedFound = noted === undefined || noted === CHAIN_START;
      for await (const event of readAll()) {
        const problem = chain.check(event) ?? (await copy?.check(event)) ?? null;
        if (problem !== null) return judge(problem);
        isNotedFound ||= event.hash === noted;
      }
      const cutOff = isNotedFound ? null : "The event with the hash given is not in the log: its end was cut off.";
      return judge(cutOff ?? (await copy?.end(chain.events)) ?? null);
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
