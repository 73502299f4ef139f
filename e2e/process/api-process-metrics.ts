import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { listChildren } from "@/e2e/process/api-process-scene";
import { parseMetrics } from "@/e2e/support/prometheus-text";
import type { Spotline } from "@/e2e/support/spotline";

interface Scene {
  readonly server: Spotline;
  /** The secret of a key that nothing has used yet. */
  readonly key: string;
}

const token = randomBytes(24).toString("hex");

/** Settings of a server whose metrics are tested. */
export const METRICS = { SPOTLINE_METRICS_TOKEN: token } as const;

/** Tests of the metrics of a server with two processes that answer calls, of which nothing has requested a price yet. */
export function testMetrics(getScene: () => Scene): void {
  const headers = { authorization: `Bearer ${token}`, connection: "close" };
  /** The total of calls at each scrape so far. */
  const totals: number[] = [];

  async function scrape() {
    const answer = await fetch(`${getScene().server.url}/metrics`, { headers });
    expect(answer.status).toBe(200);
    const metrics = parseMetrics(await answer.text());
    totals.push(metrics.sum("spotline_http_requests_total", { endpoint: "/v1/quote" }) ?? 0);
    return metrics;
  }
  const poll = <Value>(read: (metrics: Awaited<ReturnType<typeof scrape>>) => Value) =>
    expect.poll(async () => read(await scrape()), { timeout: 30_000, interval: 100 });
  /** Each call has its own connection, so that every process gets some. */
  const call = () =>
    fetch(`${getScene().server.url}/v1/quote?symbol=EURUSD`, {
      headers: { "X-API-Key": getScene().key, connection: "close" },
    });
  const callOften = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, call));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  };

  test("have one total, at whichever of them a scrape arrives, which does not fall when one is killed", async () => {
    await callOften(60);
    await poll((metrics) => metrics.sum("spotline_http_requests_total", { endpoint: "/v1/quote" })).toBe(60);
    const name = "spotline_http_request_duration_seconds";
    for (let repetition = 0; repetition < 8; repetition++) {
      const metrics = await scrape();
      expect(metrics.sum(`${name}_count`, { endpoint: "/v1/quote" })).toBe(60);
      expect(metrics.sum(`${name}_bucket`, { endpoint: "/v1/quote", le: "+Inf" })).toBe(60);
    }
    const [killed] = listChildren(getScene().server);
    process.kill(killed as number, "SIGKILL");
    await poll((metrics) => metrics.sum("spotline_api_process_up")).toBe(1);
    await poll((metrics) => metrics.sum("spotline_api_process_up")).toBe(2);
    await callOften(20);
    await poll((metrics) => metrics.sum("spotline_http_requests_total", { endpoint: "/v1/quote" })).toBe(80);
    expect((await scrape()).sum("spotline_api_process_restarts_total")).toBe(1);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
  });

  test("report their streams together, and each its memory and its event loop", async () => {
    const open = () =>
      fetch(`${getScene().server.url}/v1/stream?symbols=EURUSD`, {
        headers: { "X-API-Key": getScene().key, connection: "close" },
      });
    const streams = await Promise.all([open(), open(), open()]);
    await poll((metrics) => metrics.sum("spotline_streams_open")).toBe(3);
    const metrics = await scrape();
    expect(metrics.sum("spotline_http_connections")).toBeGreaterThanOrEqual(3);
    for (const each of ["1", "2"]) {
      expect(metrics.sum("spotline_api_process_resident_memory_bytes", { process: each })).toBeGreaterThan(1e7);
      expect(metrics.sum("spotline_api_process_eventloop_delay_max_seconds", { process: each })).not.toBeNull();
      expect(metrics.sum("spotline_api_process_lag_seconds", { process: each })).toBeLessThan(5);
    }
    for (const stream of streams) await stream.body?.cancel();
    await poll((now) => now.sum("spotline_streams_open")).toBe(0);
  });

  test("refuse a scrape without the token", async () => {
    for (let call = 0; call < 4; call++) {
      const answer = await fetch(`${getScene().server.url}/metrics`, {
        headers: { ...headers, authorization: "Bearer x" },
      });
      expect(answer.status).toBe(401);
    }
  });
}
