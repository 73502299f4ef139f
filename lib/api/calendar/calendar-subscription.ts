import * as z from "zod";
import { CALENDAR_FEED_PATH } from "@/lib/api/calendar/calendar-feed";
import { calendarFilters } from "@/lib/api/calendar/calendar-query";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { findPublicUrl } from "@/lib/api/public-url";

const query = z.object(calendarFilters);

export const calendarSubscription = defineEndpoint({
  method: "GET",
  path: "/v1/calendar/subscription",
  summary:
    "The address at which calendar programs subscribe to the economic calendar, with the filters of the request.",
  description:
    "The address carries a token that is made of the key but is not the key: it opens the calendar feed alone, with the " +
    "limits, the allow-list and the plan of the key, and ends when the key does. It is always the same for a key.",
  access: "key",
  entitlement: "calendar",
  weight: 1,
  query,
  reply: z.strictObject({ success: z.literal(true), data: z.strictObject({ url: z.string() }) }),

  handle({ query, key, call, services }) {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
    params.set("token", services.feedTokens.createToken(key?.id ?? ""));
    return { body: formatSuccess({ url: `${findPublicUrl(call, services)}${CALENDAR_FEED_PATH}?${params}` }) };
  },
});
