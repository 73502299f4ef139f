import { writeFileSync } from "node:fs";
import { makeCalls } from "@/e2e/examples/calls";
import { recordErrors } from "@/e2e/examples/errors";
import { createExampleKeys } from "@/e2e/examples/keys";
import { startTestServer } from "@/e2e/support/test-server";
import type { RecordedExample } from "@/lib/api/openapi/recorded-examples";

/**
 * Records the examples of the documentation: `npm run record:examples`, after `npm run build`. Makes the listed calls to a
 * server with simulated prices and writes its answers, with secrets, addresses and ids replaced.
 */

const FILE = "lib/api/openapi/recorded-examples.json";
/** The list of indicators is shown with so many of each category. */
const SHOWN_INDICATORS = 2;

async function main(): Promise<void> {
  const server = await startTestServer();
  try {
    const keys = await createExampleKeys(server.place);
    const operations: Record<string, RecordedExample[]> = {};
    for await (const { operation, call, sent, reply } of makeCalls(server.url, keys.full, Date.now())) {
      const { status, body } = reply;
      if (status !== 200 && status !== 202) throw new Error(`${sent.target}: ${status} ${body}`);
      const answer = shorten(operation, parse(replacePrivate(body, server.url)));
      (operations[operation] ??= []).push({ ...call, answer });
    }
    const errors = await recordErrors(server.url, keys, (text) => parse(replacePrivate(text, server.url)) as object);
    writeFileSync(FILE, `${JSON.stringify({ operations, errors }, null, 2)}\n`);
  } finally {
    await server.stop();
  }
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
