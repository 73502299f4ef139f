import type { DayWindow } from "@/lib/access/admission/day-window";
import type { MinuteWindow } from "@/lib/access/admission/minute-window";
import type { AllowList } from "@/lib/access/allow-list";
import type { Entitlements, KeyKind, PlanName } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";
import type { SymbolList } from "@/lib/access/symbol-list";

/**
 * Keys and accounts in memory, as requests use them. The directory changes them in place, so a holder sees every change,
 * and the counters survive it. Other code writes only the counters.
 */

export interface AccountEntry {
  readonly id: string;
  email: string;
  role: "operator" | "member";
  /** The active plan: a trial becomes "free" here when it ends. */
  plan: PlanName;
  /** UTC milliseconds, or null without a trial. */
  trialEndsAtMs: number | null;
  suspended: boolean;
  /** The limits of standard keys: the operator's, else the plan's. */
  perMinute: number;
  perDay: number;
  /** The daily quotas by kind of key. A call counts on its key's `day`, which is one of these. */
  readonly days: Readonly<Record<KeyKind, DayWindow>>;
}

export interface KeyEntry {
  readonly id: string;
  label: string;
  /** The start of the secret, as the dashboard shows it: "fxk_live_3f9a". */
  readonly start: string;
  kind: KeyKind;
  readonly accountId: string;
  scopes: ReadonlySet<Scope>;
  /** Null allows every address. */
  allowList: AllowList | null;
  /** Path templates; null allows every endpoint of the scopes. */
  endpoints: ReadonlySet<string> | null;
  /** Null allows every symbol. */
  symbols: SymbolList | null;
  /** Origins of pages, as browsers send them; null allows all. */
  origins: ReadonlySet<string> | null;
  /** UTC milliseconds; Infinity for a key that does not expire. */
  expiresAtMs: number;
  revoked: boolean;
  disabled: boolean;
  readonly account: AccountEntry;
  /** The terms of the plan and the kind of key; `name` is the plan to show. */
  entitlements: Entitlements;
  /** The active limits: the operator's, else those of plan and kind. The minute is the key's own where that is lower. */
  perMinute: number;
  perDay: number;
  /** The key's own limits; NO_LIMIT without one. */
  ownPerMinute: number;
  ownPerDay: number;
  /** When the last use was last recorded, UTC milliseconds; see last-uses.ts. A counter, too. */
  notedAtMs: number;
  readonly minute: MinuteWindow;
  /** The daily quota of the account, shared with its other keys. */
  day: DayWindow;
  /** Counts this key alone; null unless it has a limit of its own. */
  ownDay: DayWindow | null;
}

/** An address with a token in place of a key; see lib/access/links/links.ts. */
export interface LinkEntry {
  readonly id: string;
  readonly keyId: string;
  readonly path: string;
  /** The parameters that it fixes, as a query string. */
  readonly query: string;
  revoked: boolean;
  /** When the last use was last recorded, UTC milliseconds. A counter. */
  notedAtMs: number;
}
