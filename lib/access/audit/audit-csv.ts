import { type AuditEvent, canonicalJson } from "@/lib/access/audit/audit-chain";

const columns = [
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
];

/** Events as RFC 4180 writes them, with a header line. */
export function auditCsv(events: readonly AuditEvent[]): string {
  const lines = events.map(({ seq, atMs, event, actor, accountId, keyId, address, before, after, ...chain }) => [
    String(seq),
    new Date(atMs).toISOString(),
    event,
    actor,
    accountId,
    keyId ?? "",
    address ?? "",
    before === null ? "" : canonicalJson(before),
    after === null ? "" : canonicalJson(after),
    chain.previousHash,
    chain.hash,
  ]);
  return [columns, ...lines].map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

/** JSON begins with a brace and the rest are names and numbers, so that no cell can pass for a formula of a sheet's. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
