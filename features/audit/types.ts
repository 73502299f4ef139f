import type { AuditActor, AuditKind } from "@/lib/access/audit/audit-filter";
import type { Facts } from "@/lib/access/audit/record";

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

/** The view in the address of the audit log. Null and "" mean all. */
export interface AuditView {
  readonly kind: AuditKind | null;
  readonly by: AuditActor | null;
  /** UTC days, "2026-11-21", both included. */
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** The event that the page continues after; null for the newest events. */
  readonly beforeSeq: number | null;
}
