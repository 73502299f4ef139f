import type { Facts } from "@/lib/access/audit-event";

/** One event of the audit log, with names in place of ids. */
export interface AuditLine {
  readonly seq: number;
  readonly atMs: number;
  readonly event: string;
  /** "you", an e-mail address, "the operator", "operator CLI" or "somebody". */
  readonly by: string;
  readonly address: string | null;
  /** The account or key that was changed. */
  readonly what: string;
  readonly before: Facts | null;
  readonly after: Facts | null;
}
