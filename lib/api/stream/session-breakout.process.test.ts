import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { toEventFields } from "@/lib/api/calendar/calendar-replies";
import { ApiError } from "@/lib/api/engine/errors";
import { sendEvents } from "@/lib/api/stream/event-reader";
import { setUpMarket } from "@/lib/api/stream/replay.fixture";
import type { CalendarEvent } from "@/lib/calendar/event";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

/** The programs of docs/session-breakout.md, on a recorded day. */

const DAY = "2026-03-04";
const at = (time: string) => Date.parse(`${DAY}T${time}Z`);
/** Minutes after 08:00 and pips above 1.08: a break within the blackout, one up that wins, and one down that loses. */
const PATH = [
  [-2, 0],
  [0, 0],
  [15, 8],
  [35, -8],
  [60, 0],
  [75, 14],
  [90, 0],
  [112, 12],
  [135, 40],
  [175, -14],
  [190, 6],
  [245, 0],
] as const;

function findPips(minute: number): number {
  const next = PATH.findIndex(([each]) => each >= minute);
  const [[fromMinute, from], [toMinute, to]] = [PATH[Math.max(0, next - 1)] ?? [0, 0], PATH[next] ?? [0, 0]];
  return toMinute === fromMinute ? from : from + ((to - from) * (minute - fromMinute)) / (toMinute - fromMinute);
}

const text = readFileSync("docs/session-breakout.md", "utf8");
const readBlock = (language: string) => new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "m").exec(text)?.[1] ?? "";
const PYTHON =
  ["python3", "/usr/bin/python3"].find((each) => spawnSync(each, ["-c", "import httpx"]).status === 0) ?? null;

let database: TestDatabase;
let server: Server;
let calendarCalls: string[] = [];
/** Whether the calendar begins later than the day. */
let isBeforeCalendar = false;
const env = {
  ...process.env,
  DAY,
  SPOTLINE_KEY: "key",
  PYTHONPATH: `clients/python/src:${process.env.PYTHONPATH ?? ""}`,
};

beforeAll(async () => {
  database = await openTestDatabase();
  const market = setUpMarket(database.db, at("07:59:00"));
  await market.flush();
  while (market.clock.nowMs < at("12:03:00")) {
    const bid = 1.08 + findPips((market.clock.nowMs - at("08:00:00")) / 60_000) / 10_000;
    market.quote("alpha", "EURUSD", bid, 0.0001, 0);
    market.clock.nowMs += 5_000;
    if (market.clock.nowMs % 60_000 === 0) await market.flush();
  }
  const event = { id: "1", title: "CPI", currency: "USD", impact: "high", timeMs: at("09:15:00") } as CalendarEvent;
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://a");
    if (pathname === "/v1/calendar") {
      calendarCalls.push(searchParams.toString());
      if (isBeforeCalendar && searchParams.has("at")) {
        response.writeHead(404, { "Content-Type": "application/json" });
        response.end(new ApiError("DATA_NOT_FOUND", "Nothing was recorded at that time.").body());
        return;
      }
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ success: true, data: { events: [toEventFields(event, false)] } }));
      return;
    }
    const read = (name: string) => {
      const value = searchParams.get(name) ?? "";
      return (/^\d+$/.test(value) ? Number(value) : Date.parse(value)) / 1_000;
    };
    const { stream } = market.admit({ from: read("from"), to: read("to") }, [searchParams.get("symbols") ?? ""]);
    sendEvents(response, stream, { status: 200, headers: "Content-Type: text/event-stream\r\n" });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  Object.assign(env, { SPOTLINE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
afterAll(async () => {
  server.close();
  await database.cleanup();
});

beforeEach(() => {
  calendarCalls = [];
  isBeforeCalendar = false;
});

async function runTypeScript() {
  const code = (await transform(readBlock("ts"), { loader: "ts", format: "esm" })).code;
  const client = pathToFileURL("clients/typescript/src/index.ts").href;
  const args = ["--import", "tsx", "--input-type=module", "-e", code.replace("@spotline/client", client)];
  return promisify(execFile)(process.execPath, args, { env });
}
const runPython = (program: string) => promisify(execFile)(program, ["-B", "-c", readBlock("python")], { env });

test("The program in TypeScript has the result of its page", async () => {
  expect((await runTypeScript()).stdout).toBe(readBlock("text"));
  expect(calendarCalls).toEqual([expect.stringContaining("at=2026-03-04T08%3A00%3A00Z")]);
});

test("Both programs run on a day before the calendar begins, with the releases that are known now", async () => {
  isBeforeCalendar = true;
  for (const run of [runTypeScript, ...(PYTHON === null ? [] : [() => runPython(PYTHON)])]) {
    calendarCalls = [];
    const { stdout, stderr } = await run();
    expect(stdout).toBe(readBlock("text"));
    expect(stderr).toContain("not recorded");
    expect(calendarCalls.at(-1)).not.toContain("at=");
  }
});

test("The program in Python has the same result", async ({ skip }) => {
  if (PYTHON === null) {
    process.stderr.write("SKIPPED: the strategy in Python, because no python3 has httpx (Debian: python3-httpx).\n");
    return skip();
  }
  expect((await runPython(PYTHON)).stdout).toBe(readBlock("text"));
  expect(calendarCalls).toEqual([expect.stringContaining("at=2026-03-04T08%3A00%3A00Z")]);
});
