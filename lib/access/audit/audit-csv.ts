import { type AuditEvent, formatCanonicalJson } from "@/lib/access/audit-event";
import { formatCsv } from "@/lib/text/csv";

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
