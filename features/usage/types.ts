import type { OpenMinute } from "@/lib/access/admission/windows";
import type { UsageCounts, UsagePeriod, UsageReport } from "@/lib/access/usage/usage-report";

/** The view in the usage page's address. Null means all. */
export interface UsageView {
  readonly period: UsagePeriod;
  readonly keyId: string | null;
  readonly endpoint: string | null;
}

/** The calls of a period. */
export interface UsageData {
  readonly report: UsageReport;
  readonly keys: readonly UsageKey[];
}

export interface UsageKey {
  readonly id: string;
  readonly label: string;
  /** The last characters of the key. */
  readonly last4: string;
}

export interface UsageTableLine {
  readonly name: string;
  /** The path of a narrower view, or null. */
  readonly href: string | null;
  readonly counts: UsageCounts;
}

/** The limits of an account and their use now. */
export interface LimitsData {
  readonly nowMs: number;
  readonly quotas: readonly DayQuotaLine[];
  readonly minutes: readonly MinuteLine[];
}

export interface DayQuotaLine {
  readonly name: string;
  readonly calls: number;
  readonly credits: number;
  /** NO_LIMIT for none. */
  readonly perDay: number;
}

export interface MinuteLine extends OpenMinute {
  readonly label: string;
  /** The last characters of the key. */
  readonly last4: string;
}
