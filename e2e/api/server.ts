import { expect, inject } from "vitest";
import type * as z from "zod";
import { findUndocumented } from "@/e2e/api/document-check";

/** The server of this suite: its address, keys of every kind, and where its database is. */
export const { url, keys, place } = inject("server");

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

type Call = RequestInit & { readonly key?: string | null };

/** Makes a call, by default with the key that has all scopes, and compares the answer with the OpenAPI document. */
export async function send(path: string, { key = keys.full, ...init }: Call = {}): Promise<Reply> {
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

/** The `data` of the answers that a schema describes. */
export type DataOf<Schema extends z.ZodType<{ readonly data: unknown }>> = z.output<Schema>["data"];

/** Returns the `data` of a successful answer. */
export function readData<Data>(reply: Reply): Data {
  expect(reply).toMatchObject({ status: 200, json: { success: true } });
  return (reply.json as { data: Data }).data;
}
