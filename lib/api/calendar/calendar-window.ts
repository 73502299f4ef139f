import * as z from "zod";
import { mayRead } from "@/lib/access/plans";
import { codesParam, formatDataMode, parseCurrencies } from "@/lib/api/calendar/calendar-query";
import { formatOffsetTime, newsReply, type newsStates, toEventFields } from "@/lib/api/calendar/calendar-replies";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { boundedParam, someOfParam, symbolParam } from "@/lib/api/engine/params";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { type CalendarEvent, IMPACTS } from "@/lib/calendar/event";
import { type NewsWindow, toCalendarCode } from "@/lib/calendar/news-window";
import { listReleaseCurrencies, type News, NEWS_REACH_MS, type NewsQuery, readNews } from "@/lib/calendar/read-news";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const MAX_MARGIN_MINUTES = 1_440;
const MAX_CURRENCIES = 20;

const impactsParam = someOfParam(IMPACTS, "INVALID_IMPACT").meta({
  description: "The impacts that count, separated by commas.",
});

const query = z.object({
  symbol: symbolParam.optional(),
  currencies: codesParam.optional().meta({
    description: `At most ${MAX_CURRENCIES} currency codes in any case, separated by commas; those of the symbol are added.`,
  }),
  before: boundedParam(0, MAX_MARGIN_MINUTES).default(15).meta({ description: "Minutes before a release." }),
  after: boundedParam(0, MAX_MARGIN_MINUTES).default(30).meta({ description: "Minutes after it." }),
  impact: impactsParam.default(["high"]),
});

type WindowQuery = z.output<typeof query>;

export const calendarWindow = defineEndpoint({
  method: "GET",
  path: "/v1/calendar/window",
  summary: "Whether a release of a symbol's currencies is near: the window around it, and the next one.",
  description:
    "A window begins `before` minutes before a release and ends `after` minutes after it; windows that overlap or touch are one, " +
    "with all of their events. The state is inside, clear or unknown. It is unknown if no release is near that the " +
    "calendar lists, but the calendar does not reach to the end of `before`, lists nothing of one of the currencies, or has an " +
    "event of the day without an hour. A program that must not trade around news trades while the state is clear. " +
    "CNH counts as CNY; metals, coins and shares have the releases of the currency that they are quoted in.",
  group: "Calendar and sessions",
  access: "any-key",
  entitlement: "calendar",
  weight: 2,
  query,
  reply: newsReply,
  errors: ["SYMBOL_NOT_FOUND"],
  headers: ["X-Data-Mode"],
  asOf: { window: (_, atMs) => ({ fromMs: atMs - NEWS_REACH_MS, toMs: atMs + NEWS_REACH_MS }) },

  handle({ query, key, services }) {
    const { symbol, currencies } = readCurrencies(query, key, services);
    const { before, after, impact } = query;
    if (before + after === 0) throw new ApiError("VALIDATION_ERROR", "before and after must not both be 0");
    const atMs = Math.floor(services.marketNow() / SECOND_MS) * SECOND_MS;
    const wanted = { currencies, impacts: impact, beforeMs: before * MINUTE_MS, afterMs: after * MINUTE_MS };
    const news = readNews(services.calendar.events, wanted, atMs);
    const withActual = key !== null && mayRead(key, "actuals");
    const formatWindow = (window: NewsWindow<CalendarEvent> | null) =>
      window === null
        ? null
        : {
            from: formatOffsetTime(window.fromMs),
            to: formatOffsetTime(window.toMs),
            events: window.events.map((event) => toEventFields(event, withActual)),
          };
    const reason = news.current === null ? findDoubt(news, wanted) : null;
    const state: (typeof newsStates)[number] = news.current !== null ? "inside" : reason !== null ? "unknown" : "clear";
    const body = formatSuccess({
      ...{ symbol, currencies, impacts: impact, before, after, time: formatOffsetTime(atMs), state, reason },
      window: formatWindow(news.current),
      next: formatWindow(news.next),
      untimed: news.untimed.map((event) => toEventFields(event, withActual)),
      calendar: {
        status: news.status,
        listed_until: news.listedUntilMs === null ? null : formatOffsetTime(news.listedUntilMs),
        unlisted: news.unlisted,
      },
    });
    const shown = [...(news.current?.events ?? []), ...(news.next?.events ?? []), ...news.untimed];
    return { body, headers: formatDataMode({ shown: shown.map((event) => ({ event })) }) };
  },
});

type Request = Parameters<typeof calendarWindow.handle>[0];

function readCurrencies(query: WindowQuery, key: Request["key"], { resolver }: Request["services"]) {
  const named = parseCurrencies({ currencies: query.currencies, country: undefined });
  if (query.symbol === undefined && named === null) {
    throw new ApiError("VALIDATION_ERROR", "symbol or currencies must be given");
  }
  if (named !== null && named.size > MAX_CURRENCIES) {
    throw new ApiError("VALIDATION_ERROR", `currencies must name at most ${MAX_CURRENCIES} codes`);
  }
  const instrument = query.symbol === undefined ? null : findPermitted(query.symbol, key, resolver);
  const own = instrument === null ? [] : listReleaseCurrencies(instrument);
  return {
    symbol: instrument?.symbol ?? null,
    currencies: [...new Set([...own, ...(named ?? [])].map(toCalendarCode))],
  };
}

/** Why the calendar cannot tell that no release is near; null if it can. */
function findDoubt(news: News, query: NewsQuery): string | null {
  const { status } = news;
  if (status === "missing") return "The calendar lists no event within 31 days.";
  if (status === "stale") {
    return `The calendar lists no event from ${formatOffsetTime(news.listedUntilMs ?? 0)} on.`;
  }
  if (query.currencies.length === 0) return "The symbol has no currency of which a calendar lists releases.";
  if (news.unlisted.length > 0) return `The calendar lists no event of ${news.unlisted.join(", ")} within 31 days.`;
  if (news.untimed.length > 0) return "An event of the day has no known hour.";
  return null;
}
