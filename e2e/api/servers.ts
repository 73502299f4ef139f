import { describe, expect, inject } from "vitest";
import { findUndocumented } from "@/e2e/api/document-check";
import type { ServerUnderTest } from "@/e2e/api/global-setup";

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

export type Send = (path: string, init?: RequestInit & { key?: string | null }) => Promise<Reply>;

/**
 * Declares the same tests against every server. By default `send` uses the key with all scopes. It compares every answer
 * with the OpenAPI document.
 */
export function onEveryServer(tests: (server: ServerUnderTest, send: Send) => void): void {
  for (const server of inject("servers")) {
    describe(server.name, () => tests(server, createSend(server)));
  }
}

function createSend({ url, keys }: ServerUnderTest): Send {
  return async (path, { key = keys.full, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (key !== null) headers.set("X-API-Key", key);
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    const { status } = response;
    const json = isJson(response) && text !== "" ? (JSON.parse(text) as unknown) : null;
    const { pathname } = new URL(url + path);
    const answer = { method: init.method ?? "GET", path: pathname, status, headers: response.headers };
    expect(findUndocumented({ ...answer, body: json ?? text })).toEqual([]);
    return { status, headers: response.headers, text, json };
  };
}

const isJson = ({ headers }: Response) => headers.get("content-type")?.startsWith("application/json") === true;

/** Expects an error with a status, a code and a message, without internal details. */
export function expectError(reply: Reply, status: number, code: string): void {
  expect({ status: reply.status, body: reply.json }).toMatchObject({
    status,
    body: { success: false, error: { code, message: expect.stringMatching(/\S/) as unknown } },
  });
  expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  expect(reply.text).not.toMatch(/node_modules|\.ts:|\bat \w+ \(|prisma/i);
}

/** Returns the `data` of a successful answer. */
export function readData<Data>(reply: Reply): Data {
  expect(reply).toMatchObject({ status: 200, json: { success: true } });
  return (reply.json as { data: Data }).data;
}
