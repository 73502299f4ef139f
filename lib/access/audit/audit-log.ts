import { type AuditFilter, type AuditReader, findConditions } from "@/lib/access/audit/audit-filter";
import type { EventHash } from "@/lib/access/audit/audit-hashes";
import type { AuditKey } from "@/lib/access/audit/audit-keys";
import { type AuditEvent, CHAIN_START, type Facts, formatCanonicalJson, hashEvent } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import type { Database } from "@/lib/platform/database/database";
import { formatCsv } from "@/lib/text/csv";
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

/** Checks the chain event by event, every hash with its key. */
function followChain(keys: ReadonlyMap<string, AuditKey>) {
  let events = 0;
  let withoutKey = 0;
  let head = CHAIN_START;

  /** Returns the problem of the next event as a sentence, or null. */
  function findProblem(event: AuditEvent): string | null {
    const seq = events + 1;
    const { hashKey } = event;
    if (event.seq !== seq) return `Event ${seq} is missing.`;
    if (event.previousHash !== head) return `Event ${seq} does not follow the event before it.`;
    if (hashKey === null && withoutKey < events) return `Event ${seq} has no key, though the event before it has one.`;
    const key = hashKey === null ? null : keys.get(hashKey);
    if (key === undefined) return describeUnknownKey(event);
    return hashEvent(head, event, key) === event.hash ? null : `Event ${seq} is not what was written down.`;
  }

  return {
    /** Checks the next event. Returns its problem as a sentence, or null. */
    check(event: AuditEvent): string | null {
      const problem = findProblem(event);
      if (problem !== null) return problem;
      events += 1;
      if (event.hashKey === null) withoutKey += 1;
      head = event.hash;
      return null;
    },
    /** The number of valid events. */
    get events() {
      return events;
    },
    /** The number of valid events before the first with a key. */
    get withoutKey() {
      return withoutKey;
    },
    /** The hash of the last valid event. */
    get head() {
      return head;
    },
  };
}

function describeUnknownKey({ seq, hashKey }: AuditEvent): string {
  return (
    `Event ${seq} was written under another secret than the ones given (its key is ${hashKey}). ` +
    "Use the NEXTAUTH_SECRET and the data folder of the server. If its secret was changed, name the earlier one in " +
    "SPOTLINE_PREVIOUS_SECRETS. If neither helps, the log was rewritten."
  );
}

/** Compares the events with the copied hashes, as far as these go. */
function followCopy(copied: AsyncIterable<EventHash>) {
  const hashes = copied[Symbol.asyncIterator]();
  let next: EventHash | null = null;
  let count = 0;
  const advance = async (seq: number) => {
    while (next === null || next.seq < seq) {
      const { value, done } = await hashes.next();
      if (done === true) return;
      next = value;
    }
  };
  return {
    /** Checks the next event. Returns its problem as a sentence, or null. */
    async check({ seq, hash }: EventHash): Promise<string | null> {
      await advance(seq);
      if (next?.seq !== seq) return null;
      count += 1;
      return next.hash === hash ? null : `Event ${seq} was rewritten after its hash was copied.`;
    },
    /** Checks that no copied event comes after the last one. */
    async end(lastSeq: number): Promise<string | null> {
      await advance(lastSeq + 1);
      return next !== null && next.seq > lastSeq ? `Event ${next.seq} is missing, though its hash was copied.` : null;
    },
    /** The number of events that were compared. */
    get count() {
      return count;
    },
  };
}

const COLUMNS = [
  "seq",
  "at",
  "event",
  "actor",
  "account_id",
  "key_id",
  "address",
  "before",
  "after",
  "previous_hash",
  "hash",
  "hash_key",
];

/** Events as CSV. */
export function formatAuditCsv(events: readonly AuditEvent[]): string {
  const rows = events.map(({ seq, atMs, event, actor, accountId, keyId, address, before, after, ...chain }) => [
    String(seq),
    new Date(atMs).toISOString(),
    event,
    actor,
    accountId,
    keyId ?? "",
    address ?? "",
    before === null ? "" : formatCanonicalJson(before),
    after === null ? "" : formatCanonicalJson(after),
    chain.previousHash,
    chain.hash,
    chain.hashKey ?? "",
  ]);
  return formatCsv(COLUMNS, rows);
}
