import * as z from "zod";
import { mayRead } from "@/lib/access/plans";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { CHART_TYPES, EXCHANGE, formatChart } from "@/lib/api/udf/udf-endpoint";
import { RESOLUTIONS } from "@/lib/api/udf/udf-time";
import { SECOND_MS } from "@/lib/time/units";

export const udfConfig = defineEndpoint({
  method: "GET",
  path: "/udf/config",
  permission: "/v1/symbols",
  summary: "What charts can ask for.",
  access: "key",
  weight: 1,
  query: z.object({}),
  reply: z.unknown(),

  handle({ key }) {
    const hasMarks = key !== null && mayRead(key, "calendar");
    return formatChart({
      supported_resolutions: RESOLUTIONS,
      supports_search: true,
      supports_group_request: false,
      supports_marks: hasMarks,
      supports_timescale_marks: hasMarks,
      supports_time: true,
      exchanges: [{ value: EXCHANGE, name: EXCHANGE, desc: "Spotline" }],
      symbols_types: [
        { name: "All", value: "" },
        ...CHART_TYPES.map((value) => ({ name: value.charAt(0).toUpperCase() + value.slice(1), value })),
      ],
    });
  },
});

export const udfTime = defineEndpoint({
  method: "GET",
  path: "/udf/time",
  summary: "The time of the market in Unix seconds.",
  access: "open",
  weight: 1,
  query: z.object({}),
  reply: z.string(),
  contentType: "text/plain",
  handle: ({ services }) => ({
    body: String(Math.floor(services.marketNow() / SECOND_MS)),
    contentType: "text/plain; charset=utf-8",
  }),
});
