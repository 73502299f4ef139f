import { z } from "zod";
import { countCreditsToday, countUsedToday, getDayEnd } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { NO_LIMIT } from "@/lib/access/plans";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { monitorAccountReply } from "@/lib/api/service/monitor-replies";

export const monitorAccount = defineEndpoint({
  method: "GET",
  path: "/v1/monitor/account",
  summary: "The account of this key: its plan, and what has been used of today's quota.",
  description:
    "The figures are the counters that the limits go by. A tool key has a quota of its own, which is then the one told.",
  access: "key",
  weight: 1,
  query: z.object({}),
  reply: monitorAccountReply,

  async handle({ key, services }) {
    const { account, day, perDay, entitlements } = key as KeyEntry;
    const prepaidCredits = (await services.accounts.find(account.id))?.prepaidCredits ?? 0;
    const nowMs = services.now();
    return {
      body: formatSuccess({
        name: account.email,
        plan: entitlements.name,
        prepaid_credits: prepaidCredits,
        daily_quota: perDay === NO_LIMIT ? null : perDay,
        daily_used: countUsedToday(day, nowMs),
        credits_used: countCreditsToday(day, nowMs),
        resets_at: new Date(getDayEnd(nowMs)).toISOString(),
      }),
    };
  },
});
