import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { afterEach, expect, test } from "vitest";
import { KEEP_ALIVE_SECONDS } from "@/lib/api/http-head";
import { closeAll, connectTo, get, listen } from "@/lib/http/half-open-client.fixture";
import { countAvailableConnections, TIMEOUTS } from "@/lib/http/http-server";
import { MAX_UNFINISHED } from "@/lib/http/pipelines";
import { loadConfig } from "@/lib/platform/config";

afterEach(closeAll);

test("The connections leave file descriptors for the rest of the process", () => {
  const limits = (files: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${files}   files\n`;
  expect(countAvailableConnections(limits("1024                 4096"))).toBe(448);
  expect(countAvailableConnections(limits("64                   64"))).toBe(1);
  expect(countAvailableConnections(limits("unlimited            unlimited"))).toBe(Infinity);
  expect(countAvailableConnections("")).toBe(Infinity);
});

test("docs/operating.md has the limits that apply", () => {
  const [, table = ""] = /\n## Connections\n+([^]*?)\n\n/.exec(readFileSync("docs/operating.md", "utf8")) ?? [];
  const values = [...table.matchAll(/^\|[^|]+\| +([\d,]+)/gm)].map(([, value = ""]) => Number(value.replace(",", "")));
  const { total, perAddress } = loadConfig({}).connections;
  const { headersMs, requestMs, stalledMs } = TIMEOUTS;
  const seconds = [headersMs / 1000, requestMs / 1000, stalledMs / 1000, KEEP_ALIVE_SECONDS];
  expect(values).toEqual([total, perAddress, ...seconds, MAX_UNFINISHED]);
});

const answerHead: RequestListener = ({ url, headers, rawHeaders }, response) =>
  void response.end(`[${url} ${headers.host} ${rawHeaders[1]}]`);

test.each([
  ["http://prices.example/v1/quote?symbol=EURUSD", "/v1/quote?symbol=EURUSD prices.example prices.example"],
  ["HTTPS://prices.example:8443/v1", "/v1 prices.example:8443 prices.example:8443"],
  ["http://[::1]:3000", "/ [::1]:3000 [::1]:3000"],
  ["http://prices.example?a=b", "/?a=b prices.example prices.example"],
  ["/v1/quote", "/v1/quote a a"],
  ["//elsewhere/v1", "//elsewhere/v1 a a"],
])("A request for %s has the path and the host of the URL", async (target, read) => {
  const client = await connectTo(await listen(answerHead), get(target));
  expect(await client.until("]")).toContain(`[${read}]`);
});

test("OPTIONS of the whole server lists its methods, and the connection stays open", async () => {
  const client = await connectTo(await listen(answerHead), `OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n${get("/next")}`);
  const received = await client.until("[/next");
  expect(received).toMatch(/^HTTP\/1\.1 204 No Content\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n/);
});

test("A client of HTTP/1.0 needs no host", async () => {
  const client = await connectTo(await listen(answerHead), "GET /old HTTP/1.0\r\n\r\n");
  expect(await client.until("]")).toContain("[/old undefined undefined]");
});
