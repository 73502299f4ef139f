import * as z from "zod";
import { countCreditsToday, countUsedToday, getDayEnd } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { NO_LIMIT } from "@/lib/access/plans";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { monitorAccountReply } from "@/lib/api/service/monitor-replies";

export const monitorAccount = defineEndpoint({
  method: "GET",
  path: "/v1/monitor/account",
  summary: "The account of this key: its plan, what has been used of today's quota, and what the key itself may do.",
  description:
    "The figures are the counters that the limits go by. A tool key has a quota of its own, which is then the one shown.",
  access: "key",
  weight: 1,
  query: z.object({}),
  reply: monitorAccountReply,

  async handle({ key, services }) {
    const { account, scopes, day, perDay, entitlements, ...own } = key as KeyEntry;
    const prepaidCredits = (await services.accounts.find(account.id))?.prepaidCredits ?? 0;
    const nowMs = services.now();
    return {
      body: formatSuccess({
        name: scopes.has("all") ? account.email : maskEmail(account.email),
        plan: entitlements.name,
        prepaid_credits: prepaidCredits,
        daily_quota: perDay === NO_LIMIT ? null : perDay,
        daily_used: countUsedToday(day, nowMs),
        credits_used: countCreditsToday(day, nowMs),
        resets_at: new Date(getDayEnd(nowMs)).toISOString(),
        key: {
          label: own.label,
          scopes: [...scopes],
          endpoints: own.endpoints === null ? null : [...own.endpoints],
          symbols: own.symbols?.names ?? null,
          per_minute: own.perMinute === NO_LIMIT ? null : own.perMinute,
          per_day: own.ownDay === null ? null : own.ownPerDay,
          used_today: own.ownDay === null ? null : countUsedToday(own.ownDay, nowMs),
          expires_at: own.expiresAtMs === Infinity ? null : new Date(own.expiresAtMs).toISOString(),
        },
      }),
    };
  },
});

/** Hides who the owner is from a program that got a narrow key: "d***@***". */
function maskEmail(email: string): string {
  return `${email.slice(0, 1)}***@***`;
}
