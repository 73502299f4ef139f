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
    };

export function formatNoticeTitle(facts: NoticeFacts): string {
  if (facts.kind === "expiry") {
    return `The key “${facts.label}” ends within ${facts.days === 1 ? "a day" : `${facts.days} days`}`;
  }
  const calls = facts.keys === "tool" ? "the tool keys’ calls of the day" : "the calls of the day";
  return `${facts.percent >= 100 ? "All" : `${facts.percent} %`} of ${calls} are used`;
}

export function formatNoticeText(facts: NoticeFacts): string {
  if (facts.kind === "expiry") {
    const at = facts.expiresAt.slice(0, 16).replace("T", " ");
    return `It ends at ${at} UTC; every call made with it is refused from then on. Rotate it, or give it a later end.`;
  }
  const sum = `${formatCount(facts.used)} of ${formatCount(facts.limit)} calls on ${facts.day}.`;
  const then = facts.percent >= 100 ? "Further calls are refused" : "Once they are used up, calls are refused";
  return `${sum} ${then} until midnight UTC.`;
}

/** The dashboard page where the owner can act on it. */
export function findNoticePath(facts: NoticeFacts): string {
  return facts.kind === "expiry" ? `/keys/${facts.keyId}` : "/plan";
}
