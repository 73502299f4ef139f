import { UNUSED_DAYS } from "@/lib/access/keys/key-life";
import { findPlanPath, formatPlanText, formatPlanTitle, type PlanFacts } from "@/lib/access/notices/plan-notices";
import {
  findSecurityPath,
  formatSecurityText,
  formatSecurityTitle,
  type SecurityFacts,
} from "@/lib/access/notices/security-text";
import { formatCount } from "@/lib/text/number";

/** The contents of a notice, for the dashboard and for mails. */
export type NoticeFacts =
  | {
      readonly kind: "quota";
      /** Whose quota: the account's, or that of its tool keys. */
      readonly keys: "account" | "tool";
      /** The UTC day, "2026-11-21". */
      readonly day: string;
      readonly percent: number;
      readonly used: number;
      readonly limit: number;
    }
  | {
      readonly kind: "expiry";
      readonly keyId: string;
      readonly label: string;
      /** ISO 8601, UTC. */
      readonly expiresAt: string;
      /** The reminder, in days before the end: 7 or 1. */
      readonly days: number;
    }
  | {
      readonly kind: "unused";
      readonly keyId: string;
      readonly label: string;
      /** UTC days, "2026-11-21". */
      readonly createdOn: string;
      readonly lastUsedOn: string | null;
    }
  | PlanFacts
  | SecurityFacts;

export function formatNoticeTitle(facts: NoticeFacts): string {
  if (facts.kind === "security") return formatSecurityTitle(facts);
  if (facts.kind === "plan") return formatPlanTitle(facts);
  if (facts.kind === "expiry") {
    return `The key “${facts.label}” ends within ${facts.days === 1 ? "a day" : `${facts.days} days`}`;
  }
  if (facts.kind === "unused") return `The key “${facts.label}” has not been used for ${UNUSED_DAYS} days`;
  const calls = facts.keys === "tool" ? "the tool keys’ calls of the day" : "the calls of the day";
  return `${facts.percent >= 100 ? "All" : `${facts.percent} %`} of ${calls} are used`;
}

export function formatNoticeText(facts: NoticeFacts): string {
  if (facts.kind === "security") return formatSecurityText(facts);
  if (facts.kind === "plan") return formatPlanText(facts);
  if (facts.kind === "expiry") {
    const at = facts.expiresAt.slice(0, 16).replace("T", " ");
    return `It ends at ${at} UTC; every call made with it is refused from then on. Rotate it, or give it a later end.`;
  }
  if (facts.kind === "unused") {
    const { lastUsedOn, createdOn } = facts;
    const use =
      lastUsedOn === null ? `It was created on ${createdOn} and never used.` : `Its last use was on ${lastUsedOn}.`;
    return `${use} If no program needs it, revoke it: nobody would notice if others used it.`;
  }
  const sum = `${formatCount(facts.used)} of ${formatCount(facts.limit)} calls on ${facts.day}.`;
  const then = facts.percent >= 100 ? "Further calls are refused" : "Once they are used up, calls are refused";
  return `${sum} ${then} until midnight UTC.`;
}

/** The dashboard page where the owner can act on it. */
export function findNoticePath(facts: NoticeFacts): string {
  if (facts.kind === "security") return findSecurityPath(facts);
  if (facts.kind === "plan") return findPlanPath(facts);
  return facts.kind === "quota" ? "/plan" : `/keys/${facts.keyId}`;
}
