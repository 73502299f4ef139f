import { z } from "zod";

/** Schemas that the replies of several resources share, with the field names of the specification. */

export const isoTime = z.iso.datetime().meta({ description: "ISO 8601, UTC" });

export const succeeded = z.literal(true);

export const pagination = z.strictObject({ offset: z.int(), limit: z.int(), total: z.int(), has_more: z.boolean() });

export const errorReply = z.object({
  success: z.literal(false),
  error: z.looseObject({ code: z.string(), message: z.string() }),
});

export const flatErrorReply = z.strictObject({
  error: z.string().meta({ description: "The status in words" }),
  message: z.string(),
  code: z.int().meta({ description: "The status" }),
  retry_after: z.int().optional().meta({ description: "With 429 only: seconds until calls are taken again" }),
});
