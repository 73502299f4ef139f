import { execFile, spawnSync } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PYTHON_REQUESTS } from "@/components/shared/python-requests.fixture";
import { type ApiRequest, CREDITS, formatTarget, placeRequest, writeCode } from "@/components/shared/write-code";
import { chooseEndpoint } from "@/lib/api/engine/as-of";
import { endpoints } from "@/lib/api/registry";

const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;
if (!HAS_PYTHON) process.stderr.write("\n*** SKIPPED: no python3 to run the code of calls in Python ***\n\n");

const KEY = "fxk_live_test";
const REQUESTS: readonly ApiRequest[] = [
  { path: "/v1/ohlc", query: { symbol: "EURUSD", timeframe: "H1", from: "2026-11-20T21:00:00Z", limit: 24 } },
  { path: "/v1/spread", query: { symbol: "gold & silver" } },
  { path: "/v1/quotes", body: { symbols: ["EURUSD", "XAUUSD"] } },
];

test("A call with PUT is written in every language", () => {
  const request = { path: "/v1/monitor/layout", method: "PUT", body: { layout: ["EURUSD"] } } as const;
  expect(writeCode("curl", "", request)).toContain("-X PUT \\\n");
  expect(writeCode("TypeScript", "", request)).toContain('method: "PUT"');
  expect(writeCode("Python", "", request)).toContain("requests.put(");
});

test("A call with DELETE has no body", () => {
  const request = { path: "/v1/alerts/1", method: "DELETE" } as const;
  expect(writeCode("curl", "", request)).toContain("-X DELETE \\\n");
  expect(writeCode("TypeScript", "", request)).toContain('method: "DELETE"');
  expect(writeCode("Python", "", request)).toContain("requests.delete(");
});

describe("Code of a call, run as it is written, sends that call", () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method, url, headers } = request;
      received.push([method, url, headers["x-api-key"], headers["content-type"], body].join(" "));
      response.end('{"success":true,"data":{"bid":1.1}}');
    });
  });
  let origin = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const environment = { ...process.env, SPOTLINE_KEY: KEY };
  const run = promisify(execFile);

  test.each(REQUESTS)("with curl and in TypeScript: $path", async (request) => {
    received.length = 0;
    await run("sh", ["-c", writeCode("curl", origin, request)], { env: environment });
    const { code } = await transform(`${writeCode("TypeScript", origin, request)}\nconsole.log(data.bid);`, {
      loader: "ts",
      format: "esm",
    });
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { env: environment });
    expect(stdout).toBe("1.1\n");
    const { body } = request;
    const parts =
      body === undefined
        ? ["GET", formatTarget(request), KEY, undefined, ""]
        : ["POST", formatTarget(request), KEY, "application/json", JSON.stringify(body)];
    expect(received).toEqual([parts.join(" "), parts.join(" ")]);
  });

  test.runIf(HAS_PYTHON).each(REQUESTS)("in Python: $path", async (request) => {
    received.length = 0;
    const program = `${PYTHON_REQUESTS}\n${writeCode("Python", origin, request)}\nprint(data["bid"])`;
    const { stdout } = await run("python3", ["-c", program], { env: environment });
    expect(stdout).toBe("1.1\n");
    expect(received[0]).toContain(` ${formatTarget(request)} ${KEY} `);
  });
});

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

test("The listed credits are those of the endpoints", () => {
  for (const [path, credits] of Object.entries(CREDITS)) {
    const endpoint = endpoints.find((each) => each.path === path);
    expect([path, credits]).toEqual([path, endpoint?.weight]);
  }
});

const AT = "2026-11-20T13:30:05Z";

test("A call of the past names its second wherever the endpoint has at, with the credits of that call", () => {
  for (const path of Object.keys(CREDITS) as ApiRequest["path"][]) {
    const endpoint = endpoints.find((each) => each.path === path);
    const { request, credits } = placeRequest({ path, query: { limit: 5 } }, AT);
    const hasAt = "at" in (endpoint?.query.shape ?? {});
    expect([path, request.query?.["at"]]).toEqual([path, hasAt ? AT : undefined]);
    if (hasAt) {
      expect([path, credits]).toEqual([path, endpoint && chooseEndpoint(endpoint, { search: `at=${AT}` }).weight]);
    }
    expect(placeRequest({ path }, null)).toEqual({ request: { path }, credits: CREDITS[path] });
  }
});

test("A call of an endpoint without at ends its range after the second, or where the range of its panel ends", () => {
  const place = (query: ApiRequest["query"]) =>
    placeRequest({ path: "/v1/ticks", ...(query && { query }) }, AT).request.query?.["to"];
  expect(place(undefined)).toBe("2026-11-20T13:30:06.000Z");
  expect(place({ to: "2026-11-20T14:00:00.000Z" })).toBe("2026-11-20T13:30:06.000Z");
  expect(place({ to: "2026-11-20T13:00:00.000Z" })).toBe("2026-11-20T13:00:00.000Z");
});
