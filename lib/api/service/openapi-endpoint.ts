import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint, type Endpoint } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { findPublicUrl } from "@/lib/api/engine/services";
import { describeApi } from "@/lib/api/openapi/describe-api";

/** Creates the endpoint that describes all endpoints. It is in the list itself, so the list is passed as a function. */
export function createOpenapiEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  let parts: readonly string[] | null = null;
  /** The document of the latest address, which nearly all callers share. */
  let written: { readonly url: string; readonly answer: Handled } | null = null;
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
      const url = findPublicUrl(call, services);
      if (written?.url === url) return written.answer;
      parts ??= JSON.stringify(describeApi(endpoints(), URL_MARK)).split(URL_MARK);
      // An address has no character that JSON escapes.
      const body = Buffer.from(parts.join(url));
      written = { url, answer: { body, etag: createEtag(body) } };
      return written.answer;
    },
  });
}

/** Stands for the address, which depends on the caller, in the text that all callers share. */
const URL_MARK = "https://address.invalid";
