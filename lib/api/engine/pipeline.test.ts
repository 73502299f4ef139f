import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import * as z from "zod";
import type { Answer } from "@/lib/api/engine/answer";
import { type Call, parseHeaderLines } from "@/lib/api/engine/call";
import { createCors } from "@/lib/api/engine/cors";
import { defineEndpoint, type Endpoint } from "@/lib/api/engine/endpoint";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";

/** An endpoint whose body is compressed beforehand, to fewer bytes than those that are worth it. */
const packed = defineEndpoint({
  ...{ method: "GET", path: "/v1/packed", summary: "", access: "open", weight: 1, errors: [] },
  query: z.object({}),
  reply: z.unknown(),
  handle: () => ({ body: gzipSync("x".repeat(2_000)), etag: '"a"', coding: "gzip" }),
});
const services = {
  now: () => 0,
  cors: createCors(null, { hasOrigin: () => false }),
  noteCall: () => {},
} as unknown as Services;

function readHeaders(headers: Readonly<Record<string, string>>) {
  const call = {
    ...{ method: "GET", path: "/v1/packed", search: "", body: "none" },
    header: (name) => headers[name],
  } as Call;
  const match = { path: "/v1/packed", endpoints: [packed as Endpoint], segment: "" };
  const answer = answerCall(call, match, services) as Answer;
  const { Vary, "Content-Encoding": coding } = Object.fromEntries(parseHeaderLines(answer.headers));
  return [answer.status, Vary, coding];
}

test("A 304 states the same Vary as the compressed answer that is not sent again", () => {
  expect(readHeaders({})).toEqual([200, "Accept-Encoding", "gzip"]);
  expect(readHeaders({ "if-none-match": '"a"' })).toEqual([304, "Accept-Encoding", undefined]);
});
