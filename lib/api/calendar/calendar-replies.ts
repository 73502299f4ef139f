import * as z from "zod";
import { pagination } from "@/lib/api/engine/replies";
import { CERTAINTIES, IMPACTS, STREAMS } from "@/lib/calendar/event";

const naive = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?$/);
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?\+00:00$/);
const figure = z.number().nullable();

const event = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\da-f]{16}$/)
      .meta({ description: "Opaque; stays through polls, revisions and moved dates" }),
    datetime: moment.meta({ description: "ISO 8601 with the offset +00:00" }),
    currency: z.string(),
    event: z.string(),
    impact: z.enum(IMPACTS),
    forecast: z.string().meta({ description: "Consensus; empty when there is none" }),
    previous: z.string(),
    actual: z
      .string()
      .nullable()
      .meta({ description: "Set at the moment of release: on primary rows, and for plans that include it" }),
    source: z.enum(STREAMS),
    series_id: z
      .string()
      .nullable()
      .meta({ description: "Groups the releases of one indicator; null on secondary rows" }),
    forecast_value: figure.optional().meta({ description: "include=numeric" }),
    previous_value: figure.optional().meta({ description: "include=numeric" }),
    actual_value: figure.optional().meta({ description: "include=numeric" }),
    unit: z.enum(["%", ""]).nullable().optional().meta({ description: "include=numeric" }),
    revised_previous: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "include=revised: what the previous reading was revised to" }),
    certainty: z.enum(CERTAINTIES).optional().meta({ description: "include=certainty" }),
    source_time_zone: z.string().optional().meta({ description: "include=certainty" }),
    history: z
      .array(
        z
          .strictObject({
            at: moment,
            origin: z.string(),
            field: z.string(),
            before: z.string().nullable(),
            after: z.string().nullable(),
          })
          .meta({ id: "CalendarChange" }),
      )
      .optional()
      .meta({ description: "include=history: every change since the row was first received, oldest first" }),
  })
  .meta({ id: "CalendarEvent" });

export const calendarReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    events: z.array(event),
    count: z.int().meta({ description: "Events on this page, after hiding secondary twins" }),
    range: z.strictObject({ from: naive, to: naive }).meta({ description: "UTC, without an offset; both inclusive" }),
    pagination,
  }),
});
