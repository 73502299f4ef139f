import * as z from "zod";
import { defineEndpoint, type HandlerRequest } from "@/lib/api/engine/endpoint";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { chartSymbolParam, formatChart, resolutionParam, secondsParam } from "@/lib/api/udf/udf-endpoint";
import { findChartTime, toTimeframe } from "@/lib/api/udf/udf-time";
import type { CalendarEvent } from "@/lib/calendar/event";
import { SECOND_MS } from "@/lib/time/units";

const PERMISSION = "/v1/calendar";
const MAX_MARKS = 500;
const COLOURS = { high: "red", medium: "yellow", low: "blue" } as const;

const markQuery = z.object({
  symbol: chartSymbolParam,
  resolution: resolutionParam,
  from: secondsParam,
  to: secondsParam,
});

interface Mark {
  readonly time: number;
  readonly event: CalendarEvent;
}

export const udfMarks = defineEndpoint({
  method: "GET",
  path: "/udf/marks",
  permission: PERMISSION,
  summary: "The economic events of a symbol's currencies, as marks on its bars.",
  access: "key",
  entitlement: "calendar",
  weight: 2,
  query: markQuery,
  reply: z.unknown(),

  handle(request) {
    const marks = findMarks(request);
    return formatChart({
      id: marks.map(({ event }) => event.id),
      time: marks.map(({ time }) => time),
      color: marks.map(({ event }) => COLOURS[event.impact]),
      text: marks.map(({ event }) => formatEvent(event)),
      label: marks.map(({ event }) => event.currency.charAt(0)),
      labelFontColor: marks.map(() => "white"),
      minSize: marks.map(() => 14),
    });
  },
});

export const udfTimescaleMarks = defineEndpoint({
  method: "GET",
  path: "/udf/timescale_marks",
  permission: PERMISSION,
  summary: "The economic events of a symbol's currencies, as marks below the chart.",
  access: "key",
  entitlement: "calendar",
  weight: 2,
  query: markQuery,
  reply: z.unknown(),
  handle: (request) =>
    formatChart(
      findMarks(request).map(({ time, event }) => {
        const label = event.currency.charAt(0);
        return { id: event.id, time, color: COLOURS[event.impact], label, tooltip: [formatEvent(event)] };
      }),
    ),
});

/** The newest events of a range that have an hour. */
function findMarks({ query, key, services }: HandlerRequest<z.output<typeof markQuery>, null>): Mark[] {
  const { base, quote } = findPermitted(query.symbol, key, services.resolver);
  const timeframe = toTimeframe(query.resolution);
  const { shown } = services.calendar.query({
    fromMs: query.from,
    toMs: query.to,
    newestFirst: true,
    currencies: new Set([base, quote].filter((code) => code !== null)),
    impact: null,
    search: null,
    stream: null,
    offset: 0,
    limit: MAX_MARKS,
  });
  return shown
    .filter(({ event }) => event.certainty !== "all_day")
    .map(({ event }) => ({ time: findChartTime(timeframe, event.timeMs) / SECOND_MS, event }))
    .reverse();
}

/** Without the released figure, which not every plan includes. */
function formatEvent({ currency, title, forecast, previous }: CalendarEvent): string {
  const figures = [forecast && `forecast ${forecast}`, previous && `previous ${previous}`].filter(Boolean).join(", ");
  return `${currency} ${title}${figures === "" ? "" : ` (${figures})`}`;
}
