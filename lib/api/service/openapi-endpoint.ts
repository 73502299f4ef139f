import { createHash } from "node:crypto";
import { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/api/engine/endpoint";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { findPublicUrl } from "@/lib/api/public-url";

/** Creates the endpoint that describes all endpoints. It is in the list itself, so the list is passed as a function. */
export function createOpenapiEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  let parts: readonly string[] | null = null;
  return defineEndpoint({
    method: "GET",
    path: "/v1/openapi.json",
    summary: "This description of the API, in OpenAPI 3.1.",
    access: "open",
    weight: 1,
    query: z.object({}),
    reply: z.looseObject({ openapi: z.literal("3.1.0") }),
    headers: ["ETag"],

    handle({ call, services }) {
      parts ??= JSON.stringify(describeApi(endpoints(), URL_MARK)).split(URL_MARK);
      // An address has no character that JSON escapes.
      const body = parts.join(findPublicUrl(call, services));
      return { body, etag: `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"` };
    },
  });
}

/** Stands for the address, which depends on the caller, in the text that all callers share. */
const URL_MARK = "https://address.invalid";
