import {
  AUDIT_ACTORS,
  AUDIT_KINDS,
  type AuditActor,
  type AuditFilter,
  type AuditKind,
} from "@/lib/access/audit/audit-filter";
import type { Facts } from "@/lib/access/audit/record";

type Params = Readonly<Record<string, string | string[] | undefined>>;

const MAX_TEXT_LENGTH = 100;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads an address. Invalid values are ignored. */
export function readAuditView(params: Params): AuditView {
  const text = (name: string) => {
    const value = params[name];
    return typeof value === "string" ? value.replaceAll("\0", "").trim() : "";
  };
  const day = (name: string) => (DAY.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : "");
  const before = Number(text("before"));
  return {
    kind: AUDIT_KINDS.find((kind) => kind === text("kind")) ?? null,
    by: AUDIT_ACTORS.find((by) => by === text("by")) ?? null,
    from: day("from"),
    to: day("to"),
    text: text("text").slice(0, MAX_TEXT_LENGTH),
    beforeSeq: Number.isSafeInteger(before) && before > 0 ? before : null,
  };
}

/** The address of a view, without its defaults. */
export function toAuditHref({ kind, by, from, to, text, beforeSeq }: AuditView, base = "/audit"): string {
  const params = new URLSearchParams();
  const values = { kind, by, from, to, text, before: beforeSeq };
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== "") params.set(name, String(value));
  }
  return params.size === 0 ? base : `${base}?${params}`;
}

/** Whether a view shows only a part of the events. */
export function isFiltered(view: AuditView): boolean {
  return toAuditHref({ ...view, beforeSeq: null }) !== "/audit";
}

export function toAuditFilter({ kind, by, from, to, text }: AuditView): AuditFilter {
  return {
    kind: kind ?? undefined,
    by: by ?? undefined,
    fromMs: from === "" ? undefined : Date.parse(from),
    toMs: to === "" ? undefined : Date.parse(to),
    text,
  };
}

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
