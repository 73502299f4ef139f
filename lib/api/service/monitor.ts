import * as z from "zod";
import { countCreditsToday, countUsedToday, getDayEnd } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { NO_LIMIT, PLAN_NAMES } from "@/lib/access/plans";
import { SCOPES } from "@/lib/access/scopes";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
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

const layoutReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({
    layout: z
      .array(z.union([z.string(), z.looseObject({})]))
      .nullable()
      .meta({ description: "As it was saved; null before that" }),
  }),
});

const layoutSavedReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({ saved: z.literal(true) }),
});

export const monitorAccount = defineEndpoint({
  method: "GET",
  path: "/v1/monitor/account",
  summary: "The account of this key: its plan, what has been used of today's quota, and what the key itself may do.",
  description:
    "The figures are the counters that the limits go by. A tool key has a quota of its own, which is then the one shown.",
  group: "Account and service",
  access: "any-key",
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

const PATH = "/v1/monitor/layout";
const MAX_ITEMS = 60;
const MAX_CHARACTERS = 32_768;
/** Enough for any display. Bounds the recursion of code that walks a layout. */
const MAX_DEPTH = 8;

const item = z
  .custom<string | object>(
    (value) => typeof value === "string" || (typeof value === "object" && value !== null && !Array.isArray(value)),
    "must be an object or a string",
  )
  .refine((value) => !isDeeper(value, MAX_DEPTH), `must be nested at most ${MAX_DEPTH} levels deep`)
  .meta({ anyOf: [{ type: "object" }, { type: "string" }] });

const bodySchema = z.object({
  layout: z
    .array(item, "must be an array")
    .max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`)
    .refine((items) => JSON.stringify(items).length <= MAX_CHARACTERS, {
      message: `must be at most ${MAX_CHARACTERS} characters of JSON`,
      // JSON.stringify recurses, so it runs only after the depth was checked.
      when: ({ issues }) => issues.length === 0,
    }),
});

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

export const readLayout = defineEndpoint({
  method: "GET",
  path: PATH,
  summary: "The layout that was saved with this key, or null.",
  group: "Account and service",
  access: "any-key",
  weight: 1,
  query: z.object({}),
  reply: layoutReply,

  async handle({ key, services }) {
    const layout = await services.layouts.read((key as KeyEntry).id);
    return { body: `{"success":true,"data":{"layout":${layout ?? "null"}}}` };
  },
});

export const saveLayout = defineEndpoint({
  method: "PUT",
  path: PATH,
  summary: `Saves a layout for this key, in place of the one before: at most ${MAX_ITEMS} items of the program's own.`,
  group: "Account and service",
  access: "any-key",
  weight: 1,
  query: z.object({}),
  body: bodySchema,
  reply: layoutSavedReply,

  async handle({ body, key, services }) {
    await services.layouts.save((key as KeyEntry).id, JSON.stringify(body.layout));
    return { body: formatSuccess({ saved: true }) };
  },
});
