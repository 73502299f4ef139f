import { writeFileSync } from "node:fs";
import { listCalls } from "@/e2e/examples/calls";
import { recordErrors } from "@/e2e/examples/errors";
import { createExampleKeys, type ExampleKeys } from "@/e2e/examples/keys";
import { startTestServer } from "@/e2e/support/test-server";
import { formatOperationId } from "@/lib/api/openapi/describe-operation";
import type { RecordedExample } from "@/lib/api/openapi/recorded-examples";
import { endpoints } from "@/lib/api/registry";

/**
 * Records the examples of the documentation: `npm run record:examples`, after `npm run build`. Makes the listed calls to a
 * server with simulated prices and writes its answers, with secrets, addresses and ids replaced.
 */

const FILE = "lib/api/openapi/recorded-examples.json";
/** The list of indicators is shown with so many of each category. */
const SHOWN_INDICATORS = 2;

async function main(): Promise<void> {
  const server = await startTestServer({}, "embedded");
  try {
    const keys = await createExampleKeys(server);
    const operations: Record<string, RecordedExample[]> = {};
    const ids = new Map<string, string>();
    for (const [operation, calls] of Object.entries(listCalls(Date.now()))) {
      for (const { query = {}, ...each } of calls) {
        const call = fillIn(each, ids);
        const { status, text } = await send(server.url, operation, { query, ...call }, keys);
        if (status !== 200 && status !== 202) throw new Error(`${operation}: ${status} ${text}`);
        const answer = shorten(operation, parse(replacePrivate(text, server.url)));
        ids.set(`$${operation}`, ids.get(`$${operation}`) ?? findId(answer));
        (operations[operation] ??= []).push({ query, ...call, answer });
      }
    }
    const errors = await recordErrors(server.url, keys, (text) => parse(replacePrivate(text, server.url)) as object);
    writeFileSync(FILE, `${JSON.stringify({ operations, errors }, null, 2)}\n`);
  } finally {
    await server.stop();
  }
}

/** Puts ids of earlier answers in their places. */
function fillIn<Call extends object>(call: Call, ids: ReadonlyMap<string, string>): Call {
  const fill = (_: string, value: unknown) => (typeof value === "string" ? (ids.get(value) ?? value) : value);
  return JSON.parse(JSON.stringify(call, fill)) as Call;
}

function findId(answer: unknown): string {
  return (answer as { data?: { id?: string } } | null)?.data?.id ?? "";
}

async function send(url: string, operation: string, call: Omit<RecordedExample, "answer">, { full }: ExampleKeys) {
  const endpoint = endpoints.find((each) => formatOperationId(each) === operation);
  if (endpoint === undefined) throw new Error(`There is no operation ${operation}.`);
  const search = new URLSearchParams(call.query).toString();
  const path = endpoint.path.replace(/\{\w+\}/, call.segment ?? "");
  const response = await fetch(`${url}${path}${search === "" ? "" : `?${search}`}`, {
    method: endpoint.method,
    headers: { "X-API-Key": full, "Content-Type": "application/json" },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  return { status: response.status, text: await response.text() };
}

function parse(text: string): unknown {
  return text.startsWith("{") ? (JSON.parse(text) as unknown) : text;
}

function replacePrivate(text: string, url: string): string {
  return text
    .replaceAll(url, "https://prices.example")
    .replaceAll(/whsec_[\w+/=]+/g, "whsec_YOUR_SECRET")
    .replaceAll(/token=[\w.-]+/g, "token=YOUR_TOKEN")
    .replaceAll(/[0-9a-f]{16}(?=@|"|\\r|\r)/g, "7c1e09d4a5b62f38");
}

function shorten(operation: string, answer: unknown): unknown {
  if (operation === "getCalendarIcs") return keepOneEvent(String(answer));
  if (operation !== "getIndicatorsList") return answer;
  const { success, data } = answer as { success: boolean; data: { indicators: Record<string, object> } };
  const indicators = Object.entries(data.indicators).map(([category, each]) => {
    return [category, Object.fromEntries(Object.entries(each).slice(0, SHOWN_INDICATORS))];
  });
  return { success, data: { ...data, indicators: Object.fromEntries(indicators) as object } };
}

function keepOneEvent(feed: string): string {
  const [head = "", event = ""] = feed.split("BEGIN:VEVENT");
  return event === "" ? feed : `${head}BEGIN:VEVENT${event.split("END:VEVENT")[0]}END:VEVENT\r\nEND:VCALENDAR`;
}

await main();
