import { z } from "zod";
import { PLAN_NAMES } from "@/lib/access/plans";
import { isoTime, succeeded } from "@/lib/api/engine/replies";

export const monitorAccountReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({
    name: z.string().meta({ description: "The account's e-mail address" }),
    plan: z.enum([...PLAN_NAMES, "tool"]).meta({ description: "The plan that this key is served under" }),
    prepaid_credits: z.int().meta({
      description: "What is left of the credits paid in advance, up to a second late; below zero is owed",
    }),
    daily_quota: z.int().nullable().meta({ description: "Calls a day; null without a limit" }),
    daily_used: z.int().meta({ description: "Calls counted today, this one included" }),
    credits_used: z.int().meta({ description: "What those calls cost, by the weights of their endpoints" }),
    resets_at: isoTime.meta({ description: "The next midnight UTC" }),
  }),
});

export const layoutReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({
    layout: z
      .array(z.union([z.string(), z.looseObject({})]))
      .nullable()
      .meta({ description: "As it was saved; null before that" }),
  }),
});

export const layoutSavedReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({ saved: z.literal(true) }),
});
