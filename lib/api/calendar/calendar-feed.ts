import * as z from "zod";
import { mayRead } from "@/lib/access/plans";
import { type AnswerBasis, createAnswerCache } from "@/lib/api/calendar/answer-cache";
import {
  calendarFilters,
  type CalendarWindow,
  findPage,
  formatDataMode,
  readWindow,
} from "@/lib/api/calendar/calendar-query";
import type { Handled } from "@/lib/api/engine/answer";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { findPublicUrl } from "@/lib/api/engine/services";
import { writeEventFeed } from "@/lib/calendar/event-feed";
import { DAY_MS, MINUTE_MS, WEEK_MS } from "@/lib/time/units";

/** The default window of a feed. It is as long as a query may request. */
const DEFAULT_BACK_MS = WEEK_MS;
const DEFAULT_AHEAD_MS = 23 * DAY_MS;

const query = z.object({
  ...calendarFilters,
  token: z.string().optional().meta({ description: "A feed's token, where no header can be sent." }),
});

type FeedQuery = z.output<typeof query>;

export const CALENDAR_FEED_PATH = "/v1/calendar.ics";

export const calendarFeed = defineEndpoint({
  method: "GET",
  path: CALENDAR_FEED_PATH,
  summary: "The economic calendar as a feed that calendar programs subscribe to (iCalendar, RFC 5545).",
  description:
    "Filters as for /v1/calendar. Without a window it reaches from 7 days back to 23 days ahead, and moves on with the " +
    "days. Calendar programs send no headers, so the address may carry a token in place of the key: " +
    "GET /v1/calendar/subscription has it. The token opens this feed alone and ends with its key. Events without a known " +
    "hour are all-day events of their own country's day, and uncertain ones are TENTATIVE. SEQUENCE counts an event's changes.",
  group: "Calendar and sessions",
  access: "any-key",
  takesFeedToken: true,
  entitlement: "calendar",
  weight: 2,
  query,
  reply: z.string(),
  errors: ["INVALID_DATE", "RANGE_TOO_LARGE"],
  headers: ["ETag", "X-Data-Mode"],
  contentType: "text/calendar",

  handle({ query, key, services: { calendar, marketNow } }) {
    const basis = {
      calendar,
      window: readFeedWindow(query, Math.floor(marketNow())),
      withActual: key !== null && mayRead(key, "actuals"),
    };
    return answers.find(query, basis) ?? createAnswer(query, basis);
  },
});

const answers = createAnswerCache<FeedQuery>();

/** Rolling windows start at whole minutes, so that all calls within a minute share an answer. */
function readFeedWindow(query: FeedQuery, nowMs: number): CalendarWindow {
  const { from, to, next_hours: nextHours, prev_hours: prevHours } = query;
  if ([from, to, nextHours, prevHours].some((value) => value !== undefined)) {
    return readWindow(query, nowMs - (nowMs % MINUTE_MS));
  }
  const today = nowMs - (nowMs % DAY_MS);
  return { fromMs: today - DEFAULT_BACK_MS, toMs: today + DEFAULT_AHEAD_MS, newestFirst: false };
}

async function createAnswer(query: FeedQuery, basis: AnswerBasis): Promise<Handled> {
  const { calendar, window, withActual } = basis;
  const { revision } = calendar;
  const page = findPage(calendar, query, window, { offset: 0, limit: Infinity });
  const ids = page.shown.map(({ event }) => event.id);
  // A higher SEQUENCE would reveal that a figure was released, so actuals count only for plans that include them.
  const editions = await calendar.readEditions(ids, withActual ? [] : ["actual"]);
  const entries = page.shown.flatMap(({ event }) => {
    const edition = editions.get(event.id);
    return edition === undefined ? [] : [{ event, edition }];
  });
  const body = Buffer.from(writeEventFeed(entries, withActual));
  return answers.store(query, basis, revision, {
    body,
    etag: createEtag(body),
    contentType: "text/calendar; charset=utf-8",
    headers: formatDataMode(page) + formatHeaderLine("Content-Disposition", 'inline; filename="economic-calendar.ics"'),
  });
}

const subscriptionQuery = z.object(calendarFilters);

export const calendarSubscription = defineEndpoint({
  method: "GET",
  path: "/v1/calendar/subscription",
  summary:
    "The address at which calendar programs subscribe to the economic calendar, with the filters of the request.",
  description:
    "The address carries a token that is made of the key but is not the key: it opens the calendar feed alone, with the " +
    "limits, the allow-list and the plan of the key, and ends when the key does. It is always the same for a key.",
  group: "Calendar and sessions",
  access: "any-key",
  entitlement: "calendar",
  weight: 1,
  query: subscriptionQuery,
  reply: z.strictObject({ success: z.literal(true), data: z.strictObject({ url: z.string() }) }),

  handle({ query, key, call, services }) {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
    params.set("token", services.feedTokens.createToken(key?.id ?? ""));
    return { body: formatSuccess({ url: `${findPublicUrl(call, services)}${CALENDAR_FEED_PATH}?${params}` }) };
  },
});
