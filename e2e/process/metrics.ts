import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EMAIL, PASSWORD } from "@/e2e/process/own-key";
import { parseMetrics } from "@/e2e/support/prometheus-text";
import type { Spotline } from "@/e2e/support/spotline";

interface Scene {
  readonly server: Spotline;
  /** The address of its metrics, at a port of their own. */
  readonly scrapeUrl: string;
  readonly key: string;
}

/** Tests of the metrics of a whole server that nobody else calls. */
export function testMetricsPort(getScene: () => Scene): void {
  async function scrape() {
    const answer = await fetch(getScene().scrapeUrl);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await answer.text();
    return { text, ...parseMetrics(text) };
  }
  const call = async (path: string, secret = getScene().key) => {
    const answer = await fetch(getScene().server.url + path, { headers: { "X-API-Key": secret } });
    await answer.arrayBuffer();
    return answer.status;
  };

  test("counts each call once, by endpoint and status, with its duration", async () => {
    const before = await scrape();
    expect(await call("/v1/quote?symbol=EURUSD")).toBe(200);
    expect(await call("/v1/quote?symbol=EURUSD")).toBe(200);
    expect(await call("/v1/quote?symbol=NOPE")).toBe(404);
    expect(await call("/v1/symbols/EURUSD")).toBe(200);
    const after = await scrape();
    const rise = (name: string, labels: Record<string, string>) =>
      (after.sum(name, labels) ?? 0) - (before.sum(name, labels) ?? 0);
    expect(rise("spotline_http_requests_total", { endpoint: "/v1/quote", status: "200" })).toBe(2);
    expect(rise("spotline_http_requests_total", { endpoint: "/v1/quote", status: "404" })).toBe(1);
    expect(rise("spotline_http_requests_total", { endpoint: "/v1/symbols/{symbol}", status: "200" })).toBe(1);
    const name = "spotline_http_request_duration_seconds";
    expect(rise(`${name}_count`, { endpoint: "/v1/quote" })).toBe(3);
    expect(rise(`${name}_bucket`, { endpoint: "/v1/quote", le: "+Inf" })).toBe(3);
    expect(rise(`${name}_sum`, { endpoint: "/v1/quote" })).toBeGreaterThan(0);
    const bounds = after.samples.filter(
      (sample) => sample.name === `${name}_bucket` && sample.labels["endpoint"] === "/v1/quote",
    );
    expect(bounds.map(({ value }) => value)).toEqual(bounds.map(({ value }) => value).sort((a, b) => a - b));
    expect(after.types.get(name)).toBe("histogram");
    expect(after.types.get("spotline_http_requests_total")).toBe("counter");
  });

  test("has the state of sources, quotes, recorder, database, streams, process and pages", async () => {
    // The process of the pages may still start, and reports its memory once a second.
    await expect.poll(async () => (await scrape()).sum("spotline_pages_up"), { timeout: 30_000 }).toBe(1);
    await expect
      .poll(async () => (await scrape()).sum("spotline_pages_resident_memory_bytes"), { timeout: 15_000 })
      .toBeGreaterThan(1e7);
    const metrics = await scrape();
    const sources = new Set(metrics.samples.map(({ labels }) => labels["source"]).filter(Boolean));
    expect(sources.size).toBe(4);
    expect(metrics.sum("spotline_source_state")).toBe(sources.size);
    expect(metrics.sum("spotline_source_ticks_total")).toBeGreaterThan(0);
    expect(metrics.sum("spotline_source_refused_total", { reason: "crossed" })).not.toBeNull();
    expect(metrics.sum("spotline_source_reconnections_total")).not.toBeNull();
    const symbols = metrics.sum("spotline_quotes") ?? 0;
    expect(symbols).toBeGreaterThan(100);
    expect(metrics.samples.filter(({ name }) => name === "spotline_quote_age_seconds")).toHaveLength(symbols);
    expect(metrics.sum("spotline_book_quotes")).toBeGreaterThan(symbols);
    expect(metrics.sum("spotline_recorder_active")).toBe(1);
    expect(metrics.sum("spotline_recorder_lag_seconds")).toBeLessThan(15);
    expect(metrics.sum("spotline_database_up")).toBe(1);
    expect(metrics.sum("spotline_database_latency_seconds")).toBeGreaterThan(0);
    expect(metrics.sum("spotline_database_connections", { state: "waiting" })).not.toBeNull();
    expect(metrics.sum("spotline_component_status", { component: "database" })).toBe(0);
    expect(metrics.sum("spotline_pages_up")).toBe(1);
    expect(metrics.sum("spotline_pages_restarts_total")).toBe(0);
    expect(metrics.sum("spotline_http_connections")).toBeGreaterThanOrEqual(0);
    expect(metrics.sum("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect(metrics.sum("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(metrics.sum("spotline_build_info", { version: "0.2.0" })).toBe(1);

    const events = await fetch(`${getScene().server.url}/v1/stream?symbols=EURUSD`, {
      headers: { "X-API-Key": getScene().key },
    });
    expect((await scrape()).sum("spotline_streams_open")).toBe(1);
    await events.body?.cancel();
    await expect.poll(async () => (await scrape()).sum("spotline_streams_open"), { timeout: 10_000 }).toBe(0);
  });

  test.each(["deploy/grafana/spotline.json", "deploy/prometheus/alerts.yaml"])(
    "has every metric that %s names",
    async (file) => {
      const { types } = await scrape();
      const names = readFileSync(file, "utf8").match(/\b(?:spotline|nodejs|process)_[a-z0-9_]+/g) ?? [];
      expect(names.length).toBeGreaterThan(10);
      const unknown = names.filter((name) => !types.has(name) && !types.has(name.replace(/_(bucket|sum|count)$/, "")));
      expect(unknown).toEqual([]);
    },
  );

  test("gets no label and no secret from callers, however odd their paths are", async () => {
    const { key } = getScene();
    await call("/");
    const odd = ["/v1/odd-1", "/v1/../v1/odd-2", "/V1/quote", "/%76%31/quote", '/v1/"odd-3"', "/v1/symbols/odd-4"];
    for (const path of odd) await call(path);
    for (const path of ["/odd-5", "/pages/odd-6", "/metrics", "/Metrics", "/metrics/odd-7"]) await call(path);
    const before = await scrape();
    for (let at = 0; at < 40; at++) {
      const word = randomBytes(6).toString("hex");
      await call(`/v1/${word}`);
      await call(`/v1/symbols/${word}`, word);
      await call(`/${word}`, word);
    }
    const after = await scrape();
    const endpoints = new Set(after.samples.map(({ labels }) => labels["endpoint"]).filter(Boolean));
    for (const endpoint of endpoints) expect(endpoint).toMatch(/^(\/[\w.{}/-]*|unmatched|pages)$/);
    expect(after.sum("spotline_http_requests_total", { endpoint: "unmatched" })).toBeGreaterThanOrEqual(40);
    expect(after.sum("spotline_http_requests_total", { endpoint: "pages" })).toBeGreaterThanOrEqual(40);
    // The calls with a key that does not exist were the first with 401.
    expect(after.samples.length - before.samples.length).toBeLessThan(20);
    for (const secret of ["odd-", key, key.slice(0, 16), PASSWORD, EMAIL]) {
      expect(after.text).not.toContain(secret);
    }
  });

  test("answers nothing else at that port, and no metrics at the public one", async () => {
    const { server, scrapeUrl, key } = getScene();
    const base = scrapeUrl.replace("/metrics", "");
    for (const path of ["/", "/metrics/", "/v1/quote?symbol=EURUSD", "/ready", "/sign-in"]) {
      const answer = await fetch(base + path, { headers: { "X-API-Key": key } });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const posted = await fetch(scrapeUrl, { method: "POST", body: "x" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await fetch(scrapeUrl, { method: "HEAD" })).status).toBe(200);
    expect(await (await fetch(`${server.url}/metrics`)).text()).not.toContain("spotline_");
  });
}
