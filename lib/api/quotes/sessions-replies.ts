import * as z from "zod";
import { isoTime, succeeded } from "@/lib/api/engine/replies";
import { SESSION_NAMES } from "@/lib/market/sessions/session-hours";
import { mapSessions } from "@/lib/market/sessions/sessions";

const duration = z.string().regex(/^(<1m|\d+m|\d+h \d+m|\d+d \d+h)$/);

const weekend = z.boolean().meta({ description: "Whether Friday 22:00 to Sunday 22:00 UTC keeps it closed" });

const session = z
  .union([
    z.strictObject({ status: z.literal("open"), closes_in: duration, weekend }),
    z.strictObject({
      status: z.literal("closed"),
      opens_in: duration.meta({
        description: "Until the session's own next opening, over weekends and holidays. The market opens with Sydney.",
      }),
      weekend,
    }),
  ])
  .meta({ id: "Session" });

export const sessionsReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({
    current_time: isoTime,
    active_sessions: z.array(z.enum(SESSION_NAMES)),
    sessions: z.strictObject(mapSessions(() => session)),
    overlaps: z.array(z.string()).meta({ description: "Every pair of open sessions", examples: [["london_new_york"]] }),
    next_major_event: z
      .strictObject({ event: z.string().meta({ examples: ["london_close"] }), in: duration })
      .meta({ description: "The soonest opening or close of any session" }),
  }),
});
