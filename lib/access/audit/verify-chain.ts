import { type AuditEvent, CHAIN_START, hashEvent } from "@/lib/access/audit-event";
import type { AuditKey } from "@/lib/access/audit-key";
import type { EventHash } from "@/lib/access/audit/audit-hashes";

/** Checks the chain event by event, every hash with its key. */
export function followChain(keys: ReadonlyMap<string, AuditKey>) {
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
export function followCopy(copied: AsyncIterable<EventHash>) {
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
