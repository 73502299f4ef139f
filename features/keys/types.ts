import type { FormAction } from "@/features/forms/action-state";
import type { RangeProblem } from "@/lib/access/allow-list";
import { getLatestEnd } from "@/lib/access/keys/key-life";
import type { Entitlement, Entitlements, KeyKind } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";
import type { Category } from "@/lib/market/instrument";
import { DAY_MS } from "@/lib/time/units";

export const EXPIRY_DAYS = [7, 30, 60, 90, 365] as const;

/** The values of the form of a key. */
export interface KeyFormValues {
  readonly label: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  /** One address or range a line. */
  readonly addresses: string;
  /** Paths; none allows every endpoint of the scopes. */
  readonly endpoints: readonly string[];
  /** Categories of symbols; neither a category nor a symbol allows all. */
  readonly categories: readonly Category[];
  /** Single symbols, separated by commas or spaces. */
  readonly symbols: string;
  /** Origins of pages, separated by commas, spaces or lines; none allows all. */
  readonly origins: string;
  /** Whole numbers; empty follows the account. */
  readonly perMinute: string;
  readonly perDay: string;
  /** A number of days, "never", "date" for the day in `expiryDate`, or "keep" to leave the expiry of an edited key. */
  readonly expiry: string;
  /** YYYY-MM-DD: the last day of the key, in UTC. */
  readonly expiryDate: string;
}

export const EMPTY_KEY: KeyFormValues = {
  label: "",
  kind: "standard",
  scopes: ["quotes"],
  addresses: "",
  endpoints: [],
  categories: [],
  symbols: "",
  origins: "",
  perMinute: "",
  perDay: "",
  expiry: "90",
  expiryDate: "",
};

/** A new secret, which its owner sees once. */
export interface KeySecret {
  readonly label: string;
  readonly secret: string;
  /** Origin of the API: "https://prices.example.com". */
  readonly origin: string;
}

/** The created key, or the values of the edited key as they are stored now. */
export type KeyFormResult = { readonly created: KeySecret } | { readonly saved: KeyFormValues };

export type KeyFormAction = FormAction<KeyFormResult, KeyFormValues>;

/** The server's check of an allow-list as it was typed. */
export interface AddressReport {
  readonly problems: readonly RangeProblem[];
  readonly warnings: readonly string[];
  /** The lines as they will be stored. */
  readonly cidrs: readonly string[];
  /** Whether the address that was tried is admitted; null if none was tried. */
  readonly verdict: string | null;
}

export type CheckAddresses = (typed: string, tried: string) => Promise<AddressReport>;

/** The terms of a kind of key on an account. */
export interface KindTerms {
  readonly kind: KeyKind;
  readonly title: string;
  readonly text: string;
  /** "30", or "no limit". */
  readonly perMinute: string;
  readonly perDay: string;
  /** What a key of this kind may do under the account's plan. */
  readonly entitlements: Entitlements;
}

/** The endpoints that a scope opens. */
export interface ScopeGuide {
  readonly scope: Scope;
  readonly endpoints: readonly EndpointLine[];
}

export interface EndpointLine {
  readonly method: string;
  readonly path: string;
  readonly weight: number;
  /** What the plan must include; null if every plan is enough. */
  readonly entitlement: Entitlement | null;
  /** Whether only some calls need the entitlement. */
  readonly isConditional: boolean;
}

/** How long the operator lets a key live, where there is a bound. */
export interface Lifetime {
  /** From the creation of a key. */
  readonly days: number;
  /** The same from now; zero or less for a key that is too old already. */
  readonly leftDays: number;
  /** YYYY-MM-DD: the last day that a key may be given, in UTC. */
  readonly lastDay: string;
}

/** `createdAtMs` is now for a new key. Null without a bound. */
export function readLifetime(days: number | null, createdAtMs: number, nowMs: number): Lifetime | null {
  if (days === null) return null;
  const latestMs = getLatestEnd(createdAtMs, days);
  const lastDay = new Date(latestMs - DAY_MS).toISOString().slice(0, 10);
  return { days, leftDays: (latestMs - nowMs) / DAY_MS, lastDay };
}

/** The values of the form of a new key. */
export function getEmptyKey(lifetime: Lifetime | null): KeyFormValues {
  if (lifetime === null || lifetime.leftDays >= Number(EMPTY_KEY.expiry)) return EMPTY_KEY;
  const longest = EXPIRY_DAYS.findLast((days) => days <= lifetime.leftDays);
  return longest === undefined
    ? { ...EMPTY_KEY, expiry: "date", expiryDate: lifetime.lastDay }
    : { ...EMPTY_KEY, expiry: String(longest) };
}
