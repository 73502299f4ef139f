import type { DayWindow } from "@/lib/access/admission/day-window";
import type { MinuteWindow } from "@/lib/access/admission/minute-window";
import type { AllowList } from "@/lib/access/allow-list";
import type { Entitlements, KeyKind, PlanName } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";

/**
 * Keys and accounts as every request meets them. The directory writes them in place, so whoever holds one sees each
 * change, and its counters outlive it; nobody else writes anything but the counters.
 */

export interface AccountEntry {
  readonly id: string;
  email: string;
  role: "operator" | "member";
  /** The plan in force: a trial turns into free here when it ends. */
  plan: PlanName;
  /** UTC milliseconds, or null without a trial. */
  trialEndsAtMs: number | null;
  suspended: boolean;
  /** What standard keys may do: the operator's limits, else the plan's. */
  perMinute: number;
  perDay: number;
  /** Calls of the day, by kind of key. A request counts on its key's `day`, which is one of these. */
  readonly days: Readonly<Record<KeyKind, DayWindow>>;
}

export interface KeyEntry {
  readonly id: string;
  label: string;
  kind: KeyKind;
  readonly accountId: string;
  scopes: ReadonlySet<Scope>;
  /** Null lets every address in. */
  allowList: AllowList | null;
  /** UTC milliseconds; Infinity for a key that does not expire. */
  expiresAtMs: number;
  revoked: boolean;
  disabled: boolean;
  readonly account: AccountEntry;
  /** What plan and kind of key open; its `name` is the plan to show. */
  entitlements: Entitlements;
  /** The limits in force: the operator's, else those of plan and kind. */
  perMinute: number;
  perDay: number;
  /** When a call was last noted as the latest, UTC milliseconds; see last-uses.ts. A counter, too. */
  notedAtMs: number;
  readonly minute: MinuteWindow;
  /** The daily quota this key draws on, together with others of its account. */
  day: DayWindow;
}
