import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KEEP_ALIVE_SECONDS } from "@/lib/api/http-head";
import { countAvailableConnections, TIMEOUTS } from "@/lib/http/http-server";
import { MAX_UNFINISHED } from "@/lib/http/pipelines";
import { loadConfig } from "@/lib/platform/config";

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
