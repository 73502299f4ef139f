import { z } from "zod";
import { defineEndpoint, type Handled } from "@/lib/api/engine/endpoint";
import type { Services } from "@/lib/api/engine/services";

const component = z.strictObject({ status: z.enum(["ok", "degraded", "down"]) });

export const healthReply = z.strictObject({
  status: z.enum(["ok", "degraded", "down"]),
  components: z.record(z.string(), component),
});

type Status = "ok" | "degraded" | "down";

export const health = defineEndpoint({
  method: "GET",
  path: "/health",
  summary: "How the parts of the service are. Answers 200 while the process can answer at all.",
  access: "open",
  weight: 1,
  query: z.object({}),
  reply: healthReply,
  handle: async ({ services }) => report(await readComponents(services), 200),
});

export const ready = defineEndpoint({
  method: "GET",
  path: "/ready",
  summary: "Whether the service can do its work: 200 with the database reachable and prices present, 503 otherwise.",
  access: "open",
  weight: 1,
  query: z.object({}),
  reply: healthReply,
  handle: async ({ services }) => report(await readComponents(services), 503),
});

async function readComponents(services: Services): Promise<Record<string, Status>> {
  return {
    database: await readDatabaseStatus(services),
    feeds: readFeedStatus(services),
    ...services.windows.status(),
  };
}

async function readDatabaseStatus(services: Services): Promise<Status> {
  try {
    await services.checkDatabase();
    return "ok";
  } catch {
    return "down";
  }
}

/** Down without a single price; degraded when no price is live though some market is open. */
function readFeedStatus({ book, instruments }: Services): Status {
  const quotes = instruments.flatMap(({ symbol }) => book.served(symbol) ?? []);
  if (quotes.length === 0) return "down";
  const allOld = quotes.every(({ state }) => state !== "live");
  return allOld && quotes.some(({ state }) => state === "stale") ? "degraded" : "ok";
}

function report(components: Record<string, Status>, statusWhenDown: number): Handled {
  const statuses = Object.values(components);
  const status = statuses.includes("down") ? "down" : statuses.includes("degraded") ? "degraded" : "ok";
  const parts = Object.entries(components).map(([name, value]) => [name, { status: value }]);
  return {
    status: status === "down" ? statusWhenDown : 200,
    body: JSON.stringify({ status, components: Object.fromEntries(parts) }),
  };
}
