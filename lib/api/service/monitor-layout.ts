import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { layoutReply, layoutSavedReply } from "@/lib/api/service/monitor-replies";

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
  access: "key",
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
  access: "key",
  weight: 1,
  query: z.object({}),
  body: bodySchema,
  reply: layoutSavedReply,

  async handle({ body, key, services }) {
    await services.layouts.save((key as KeyEntry).id, JSON.stringify(body.layout));
    return { body: formatSuccess({ saved: true }) };
  },
});
