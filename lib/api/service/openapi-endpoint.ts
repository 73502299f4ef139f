import { createHash } from "node:crypto";
import { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/api/engine/endpoint";
import { describeApi } from "@/lib/api/engine/openapi";

/** Creates the endpoint that describes all endpoints. It is in the list itself, so the list is passed as a function. */
export function createOpenapiEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  let document: { body: string; etag: string } | null = null;
  return defineEndpoint({
    method: "GET",
    path: "/v1/openapi.json",
    summary: "This description of the API, in OpenAPI 3.1.",
    access: "open",
    weight: 1,
    query: z.object({}),
    reply: z.looseObject({ openapi: z.literal("3.1.0") }),
    handle: () => (document ??= write(endpoints())),
  });
}

function write(endpoints: readonly Endpoint[]) {
  const body = JSON.stringify(describeApi(endpoints));
  return { body, etag: `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"` };
}
