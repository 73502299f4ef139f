import * as z from "zod";
import { PLAN_NAMES } from "@/lib/access/plans";
import { SCOPES } from "@/lib/access/scopes";
import { isoTime, succeeded } from "@/lib/api/engine/replies";

export const monitorAccountReply = z.strictObject({
  success: succeeded,
  data: z
    .strictObject({
      name: z.string().meta({
        description: 'The account\'s e-mail address; only its first letter for a key without the scope "all"',
      }),
      plan: z.enum([...PLAN_NAMES, "tool"]).meta({ description: "The plan that this key is served under" }),
      prepaid_credits: z.int().meta({
        description: "What is left of the credits paid in advance, up to a second late; below zero is owed",
      }),
      daily_quota: z.int().nullable().meta({ description: "Calls a day; null without a limit" }),
      daily_used: z.int().meta({ description: "Calls counted today, this one included" }),
      credits_used: z.int().meta({ description: "What those calls cost, by the weights of their endpoints" }),
      resets_at: isoTime.meta({ description: "The next midnight UTC" }),
      key: z
        .strictObject({
          label: z.string(),
          scopes: z.array(z.enum(SCOPES)),
          endpoints: z.array(z.string()).nullable().meta({
            description: "The only endpoints that it may call, as far as its scopes open them; null for all of them",
          }),
          symbols: z.array(z.string()).nullable().meta({
            description: "The only categories and symbols that it may read; null for all",
          }),
          per_minute: z.int().nullable().meta({ description: "Requests a minute; null without a limit" }),
          per_day: z.int().nullable().meta({ description: "The key's own limit of calls a day; null without one" }),
          used_today: z.int().nullable().meta({ description: "Calls counted against per_day, this one included" }),
          expires_at: isoTime.nullable(),
        })
        .meta({ id: "KeyTerms" }),
    })
    .meta({ id: "Account" }),
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
