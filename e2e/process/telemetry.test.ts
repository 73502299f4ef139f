import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listChildren } from "@/e2e/process/api-process-scene";
import { joinSharedServer, type SharedServer } from "@/e2e/process/shared-server";
import { withAccess } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { type OtlpReceiver, startOtlpReceiver } from "@/e2e/support/otlp-receiver";
import { parseMetrics } from "@/e2e/support/prometheus-text";
import { type RunningSpotline, type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";

describe("A server with a collector of OpenTelemetry data and a token for metrics", () => {
  const metricsToken = randomBytes(24).toString("hex");
  let receiver: OtlpReceiver;
  let server: Spotline;
  let stopped = false;
  let key: { readonly id: string; readonly secret: string };

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    server = await startTestServer({
      env: {
        ...simulateFewPrices(),
        ...WITHOUT_PAGES,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: "100",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
        SPOTLINE_METRICS_TOKEN: metricsToken,
      },
    });
    key = await withAccess(server.place, async ({ accounts, keys }) => {
      const input = { email: "traces@example.com", password: "correct horse battery" };
      const { id: accountId } = await accounts.create({ ...input, plan: "pro" });
      return keys.create({ accountId, label: "test", scopes: ["all"] });
    });
  });
  afterAll(async () => {
    if (!stopped) await server.stop();
    await receiver.stop();
  });

  const call = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers: { "X-API-Key": key.secret, ...headers } });
  const findSpan = (requestId: string | null) =>
    receiver.spans.find(({ attributes }) => attributes["spotline.request_id"] === requestId);

  test("sends a span for each call, as a child of the caller's", async () => {
    const answer = await call("/v1/quote?symbol=EURUSD", { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` });
    expect(answer.status).toBe(200);
    const id = answer.headers.get("X-Request-Id");
    await expect
      .poll(() => findSpan(id), { timeout: 15_000 })
      .toMatchObject({
        name: "GET /v1/quote",
        traceId: TRACE_ID,
        parentSpanId: SPAN_ID,
        kind: 2,
        isError: false,
        attributes: {
          "http.request.method": "GET",
          "http.route": "/v1/quote",
          "http.response.status_code": 200,
          "client.address": "127.0.0.1",
          "spotline.key_id": key.id,
        },
        resource: {
          "service.name": "spotline",
          "service.version": "0.2.0",
          "spotline.process": "server",
          "deployment.environment.name": "test",
        },
      });
    expect(findSpan(id)?.durationMs).toBeGreaterThan(0);
    expect(findSpan(id)?.durationMs).toBeLessThan(10_000);
  });

  test("begins a trace for a caller without a valid one, and sends no paths, queries or secrets", async () => {
    const answers = await Promise.all([
      call("/v1/symbols/EURUSD"),
      call("/v1/odd-path?symbol=odd-query", { traceparent: "00-nonsense" }),
      call("/v1/quote?symbol=odd-symbol"),
    ]);
    const ids = answers.map(({ headers }) => headers.get("X-Request-Id"));
    await expect.poll(() => ids.every((id) => findSpan(id)), { timeout: 15_000 }).toBe(true);
    expect(ids.map((id) => findSpan(id)?.name)).toEqual(["GET /v1/symbols/{symbol}", "GET unmatched", "GET /v1/quote"]);
    for (const id of ids) expect(findSpan(id)?.parentSpanId ?? "").toBe("");
    const spans = JSON.stringify(receiver.spans);
    for (const secret of [key.secret, "odd-path", "odd-query", "odd-symbol", "/ready"]) {
      expect(spans).not.toContain(secret);
    }
    // A caller that does not sample its trace has no span.
    const unsampled = await call("/v1/quote?symbol=EURUSD", { traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` });
    const later = await call("/v1/quote?symbol=EURUSD");
    await expect.poll(() => findSpan(later.headers.get("X-Request-Id")), { timeout: 15_000 }).toBeDefined();
    expect(findSpan(unsampled.headers.get("X-Request-Id"))).toBeUndefined();
  });

  test("has neither pages nor a process for them, if it has no role for pages", async () => {
    expect(listChildren(server)).toEqual([]);
    for (const path of ["/", "/sign-in", "/api/auth/session"]) {
      const answer = await fetch(server.url + path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: "NOT_FOUND" } }]);
    }
  });

  test("answers metrics at the public port, to those who send it", async () => {
    const scrape = (authorization?: string) =>
      fetch(`${server.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } });
    for (const header of [
      undefined,
      "Bearer",
      `Bearer ${metricsToken}x`,
      `Basic ${metricsToken}`,
      metricsToken,
      `Bearer ${metricsToken} x`,
    ]) {
      const answer = await scrape(header);
      expect([header, answer.status]).toEqual([header, 401]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(await answer.json()).toMatchObject({ success: false, error: { code: "INVALID_TOKEN" } });
    }
    const answer = await scrape(`Bearer ${metricsToken}`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).not.toContain(metricsToken);
    const metrics = parseMetrics(text);
    expect(metrics.sum("spotline_recorder_active")).toBe(1);
    expect(metrics.sum("spotline_pages_up")).toBeNull();
    expect((await fetch(`${server.url}/Metrics`)).status).toBe(404);
    const { url, leave } = await joinSharedServer();
    expect((await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).status).toBe(404);
    await leave();
    expect(server.output()).not.toContain(metricsToken);
  });

  test("makes another server with the same port for metrics end, which names the setting", async () => {
    const { port } = new URL(server.url);
    const second = startTestServer({ env: { ...WITHOUT_PAGES, SPOTLINE_METRICS_PORT: port } });
    await expect(second).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use by another program. Stop it, or set SPOTLINE`,
    );
  });

  test("sends the lines of the log, and the last ones before it ends", async () => {
    const answer = await call("/v1/quote?symbol=EURUSD");
    stopped = true;
    await server.stop();
    const id = answer.headers.get("X-Request-Id");
    expect(findSpan(id)).toBeDefined();
    expect(receiver.lines.find(({ attributes }) => attributes["id"] === id)).toMatchObject({
      body: "GET /v1/quote 200",
      severity: "INFO",
      attributes: { method: "GET", path: "/v1/quote", status: 200, key: key.id },
    });
    expect(receiver.lines).toContainEqual(
      expect.objectContaining({ body: expect.stringMatching(/^Spotline is ready/) as unknown, severity: "INFO" }),
    );
    expect(receiver.lines.map(({ body }) => body)).toContain("stopping");
    expect(JSON.stringify(receiver.lines)).not.toContain(key.secret);
  });
});

describe("A server with a collector that is away", () => {
  // Nothing listens there.
  const away = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_EXPORTER_OTLP_TIMEOUT: "500" };
  let server: Spotline;
  let shared: SharedServer;
  beforeAll(async () => {
    const env = { ...simulateFewPrices(), ...WITHOUT_PAGES, ...away, SPOTLINE_ACCESS_LOG: "/v1/symbols=0" };
    server = await startTestServer({ env: { ...env, OTEL_BSP_SCHEDULE_DELAY: "50" } });
    shared = await joinSharedServer();
  });
  afterAll(async () => {
    await shared.leave();
    // A collector that is away does not delay the end either.
    expect(await server.stop()).toBe(0);
  });

  /** Calls these paths. Returns the paths and levels of the lines that the log then has about them. */
  async function findLines({ url, output }: RunningSpotline, paths: readonly string[]) {
    const ids = new Set<string | null>();
    for (const path of paths) ids.add((await fetch(url + path)).headers.get("X-Request-Id"));
    const lines = () =>
      output()
        .split("\n")
        .filter((line) => line.includes('"path":'))
        .map((line) => JSON.parse(line) as { id: string; path: string; level: number })
        .filter(({ id }) => ids.has(id));
    return () => Object.fromEntries(lines().map(({ path, level }) => [path, level]));
  }

  test("writes lines of calls at info, those of probes only at debug, and those of excluded endpoints nowhere", async () => {
    const paths = ["/v1/symbols", "/health", "/ready", "/v1/quote"];
    const [quiet, loud] = [await findLines(server, paths), await findLines(shared, paths)];
    await expect
      .poll(loud, { timeout: 10_000 })
      .toEqual({ "/v1/symbols": 30, "/health": 20, "/ready": 20, "/v1/quote": 30 });
    await expect.poll(quiet, { timeout: 10_000 }).toEqual({ "/v1/quote": 30 });
  });

  test("delays nothing, and the log says once that the collector is away", async () => {
    const count = () => server.output().split("OpenTelemetry data could not be sent").length - 1;
    for (let at = 0; at < 20; at++) expect((await fetch(`${server.url}/v1/quote`)).status).toBe(401);
    await expect.poll(count, { timeout: 20_000 }).toBe(1);
  });
});
