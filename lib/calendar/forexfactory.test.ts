import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Report } from "@/lib/calendar/event";
import { createForexFactoryConnector, fetchWeekly } from "@/lib/calendar/forexfactory";
import { silentLog } from "@/lib/platform/log/log";
import { HOUR_MS } from "@/lib/time/units";

const start = Date.UTC(2026, 9, 14, 12);
const week = JSON.stringify([
  {
    title: "CPI m/m",
    country: "USD",
    date: "2026-10-14T08:30:00-04:00",
    impact: "High",
    forecast: "0.3%",
    previous: "0.4%",
  },
  {
    title: "Bank Holiday",
    country: "JPY",
    date: "2026-10-15T00:00:00-04:00",
    impact: "Holiday",
    forecast: "",
    previous: "",
  },
]);

describe("the connector of the weekly file", () => {
  let server: Server;
  let url: string;
  let folder: string;
  let requests: Record<string, unknown>[];
  let answer: { status: number; headers?: Record<string, string>; body?: string };

  beforeEach(async () => {
    requests = [];
    answer = { status: 200, headers: { ETag: '"a"', "Last-Modified": "Wed, 14 Oct 2026 11:00:00 GMT" }, body: week };
    folder = mkdtempSync(join(tmpdir(), "spotline-weekly-"));
    server = createServer((request, response) => {
      requests.push({ ...request.headers });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/week.json`;
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const path = () => join(folder, "calendar", "week.json");

  test("requests the file conditionally, and at most once an hour", async () => {
    const first = await fetchWeekly(url, path(), null, start);
    expect(first).toMatchObject({ text: week, notBeforeMs: start + HOUR_MS, refusals: 0 });
    answer = { status: 304 };
    const second = await fetchWeekly(url, path(), first, start + HOUR_MS);
    expect(requests[1]).toMatchObject({ "if-none-match": '"a"', "if-modified-since": "Wed, 14 Oct 2026 11:00:00 GMT" });
    expect(second).toMatchObject({ text: week, notBeforeMs: start + 2 * HOUR_MS });
  });

  test("waits longer after each refusal, at least for Retry-After, and keeps the last good copy", async () => {
    let file = await fetchWeekly(url, path(), null, start);
    answer = { status: 429 };
    const pauses: number[] = [];
    for (let refusal = 0; refusal < 6; refusal++) {
      file = await fetchWeekly(url, path(), file, start);
      pauses.push((file.notBeforeMs - start) / HOUR_MS);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 12, 12]);
    answer = { status: 429, headers: { "Retry-After": "72000" } };
    file = await fetchWeekly(url, path(), file, start);
    expect(file).toMatchObject({ text: week, notBeforeMs: start + 20 * HOUR_MS });
    server.close();
    expect(await fetchWeekly(url, path(), file, start)).toMatchObject({ text: week });
  });

  test("reports a complete week of the secondary stream, and after a restart from disk without a request", async () => {
    const reports: Report[] = [];
    const report = async (next: Report) => {
      reports.push(next);
      return { created: 0, changed: 0, withdrawn: 0 };
    };
    const parts = { report, now: () => start, log: silentLog };
    const first = createForexFactoryConnector({ url, cachePath: path() }, parts);
    await first.start();
    await vi.waitFor(() => expect(reports).toHaveLength(1));
    first.stop();
    expect(reports[0]).toMatchObject({
      stream: "secondary",
      provider: "forexfactory",
      complete: { fromMs: Date.parse("2026-10-11T00:00-04:00"), toMs: Date.parse("2026-10-18T00:00-04:00") - 1 },
      events: [
        {
          timeMs: Date.parse("2026-10-14T12:30Z"),
          currency: "USD",
          title: "CPI m/m",
          impact: "high",
          certainty: "exact",
        },
        { title: "Bank Holiday", impact: "low", certainty: "all_day" },
      ],
    });
    const again = createForexFactoryConnector({ url, cachePath: path() }, parts);
    await again.start();
    again.stop();
    expect(reports[1]?.events).toEqual(reports[0]?.events);
    expect(requests).toHaveLength(1);
  });
});
