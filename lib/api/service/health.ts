import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { memoizeByIdentity } from "@/lib/api/engine/etag";
import type { Health } from "@/lib/api/service/health-check";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";

const component = z.strictObject({
  status: z.enum(["ok", "degraded", "down"]),
  behind_ms: z.int().optional(),
  behind_changes: z.int().optional(),
});

export const healthReply = z
  .strictObject({
    status: z.enum(["ok", "degraded", "down"]),
    components: z.record(z.string(), component),
  })
  .meta({ id: "Health" });

export const health = defineEndpoint({
  method: "GET",
  path: "/health",
  summary: "How the parts of the service are. Answers 200 while the process can answer at all.",
  group: "Account and service",
  access: "open",
  weight: 1,
  query: z.object({}),
  reply: healthReply,
  handle: ({ services }) => mapMaybeAsync(services.readHealth(), (health) => report(health, 200)),
});

export const ready = defineEndpoint({
  method: "GET",
  path: "/ready",
  summary: "Whether the service can do its work: 503 while a part of it is down, 200 otherwise.",
  group: "Account and service",
  access: "open",
  weight: 1,
  query: z.object({}),
  reply: healthReply,
  handle: ({ services }) => mapMaybeAsync(services.readHealth(), (health) => report(health, 503)),
});

function report(health: Health, statusWhenDown: number): Handled {
  return { status: health.status === "down" ? statusWhenDown : 200, body: writeOnce(health, undefined), isAscii: true };
}

/** Writes a report once for all callers of a second, without the details, which are for operators. */
const writeOnce = memoizeByIdentity<Health, void, string>(({ status, components }) => {
  const parts = Object.entries(components).map(([name, { status: own, lag }]) => [
    name,
    { status: own, ...(lag && { behind_ms: lag.ms, behind_changes: lag.changes }) },
  ]);
  return JSON.stringify({ status, components: Object.fromEntries(parts) });
});
