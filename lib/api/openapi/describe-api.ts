import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint, type Endpoint, ENDPOINT_GROUPS } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { errorReply } from "@/lib/api/engine/replies";
import { RESPONSE_HEADERS } from "@/lib/api/engine/response-headers";
import { findPublicUrl } from "@/lib/api/engine/services";
import { Components } from "@/lib/api/openapi/components";
import { describeOperation } from "@/lib/api/openapi/describe-operation";
import { errorExamples } from "@/lib/api/openapi/recorded-examples";

/**
 * Describes the endpoints in OpenAPI 3.1, from their own schemas.
 *
 * @param url where the API is, without a slash at its end
 */
export function describeApi(endpoints: readonly Endpoint[], url: string): object {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(endpoint, components);
  }
  components.describe(errorReply);
  return {
    openapi: "3.1.0",
    info: {
      title: "Spotline Market Data API",
      version: "1",
      description:
        "Market data for foreign exchange and CFDs, with alerts and exports. Every timestamp is UTC. Changes are announced in the changelog; " +
        "fields, error codes and headers may be added at any time. " +
        "A key can be restricted to some endpoints and symbols: a call that names one that it may not read is refused with " +
        "403 PERMISSION_DENIED, whose message tells what it may read, and lists of all symbols hold the permitted ones. " +
        "x-credits is what a call costs, x-scope the scope that a key needs, and x-plans the plans that include the data.",
      contact: { name: "The operator of this installation", url: `${url}/docs` },
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "Guides and reference", url: `${url}/docs` },
    servers: [{ url }],
    tags: ENDPOINT_GROUPS,
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key of the page API keys." },
        bearer: { type: "http", scheme: "bearer", description: "The same key as Authorization: Bearer." },
        feedToken: {
          type: "apiKey",
          in: "query",
          name: "token",
          description: "A token that opens the calendar feed alone, where no header can be sent.",
        },
      },
      schemas: components.schemas,
      headers: RESPONSE_HEADERS,
      responses: components.responses,
      examples: Object.fromEntries(Object.entries(errorExamples).map(([code, value]) => [code, { value }])),
    },
  };
}

/** Creates the endpoint that describes all endpoints. It is in the list itself, so the list is passed as a function. */
export function createOpenapiEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  let parts: readonly string[] | null = null;
  /** The document of the latest address, which nearly all callers share. */
  let written: { readonly url: string; readonly answer: Handled } | null = null;
  return defineEndpoint({
    method: "GET",
    path: "/v1/openapi.json",
    summary: "This description of the API, in OpenAPI 3.1.",
    group: "Account and service",
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
