import { z } from "zod";
import { listPlansWith } from "@/lib/access/plans";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ERROR_CODES, getStatus, toWireCode } from "@/lib/api/engine/errors";
import { errorReply, flatErrorReply } from "@/lib/api/engine/replies";

/** Describes the endpoints in OpenAPI 3.1, from their own schemas. */
export function describeApi(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(endpoint);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Spotline Market Data API",
      version: "1",
      description:
        "Read-only market data for foreign exchange and CFDs. Every timestamp is UTC. Changes are announced in the changelog. " +
        "A key can be restricted to some endpoints and symbols: a call that names one that it may not read is refused with " +
        "403 PERMISSION_DENIED, whose message tells what it may read, and lists of all symbols hold the permitted ones.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        feedToken: { type: "apiKey", in: "query", name: "token" },
      },
      schemas: { Error: toSchema(errorReply), FlatError: toSchema(flatErrorReply) },
    },
    paths,
  };
}

function describeOperation(endpoint: Endpoint): object {
  const { entitlement } = endpoint;
  return {
    operationId: formatOperationId(endpoint),
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    ...(endpoint.access === "open"
      ? { security: [] }
      : { security: describeSecurity(endpoint), "x-credits": endpoint.weight }),
    ...(endpoint.scope === null ? {} : { "x-scope": endpoint.scope }),
    ...(entitlement === null ? {} : { "x-plans": listPlansWith(entitlement) }),
    parameters: [...describePathParameters(endpoint), ...describeQueryParameters(endpoint)],
    ...(endpoint.body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: toSchema(endpoint.body, "input") } },
          },
        }),
    responses: {
      "200": { description: "Success", content: describeSuccess(endpoint) },
      ...describeErrors(endpoint),
    },
  };
}

function describeSecurity({ takesFeedToken }: Endpoint): object[] {
  return takesFeedToken ? [{ apiKey: [] }, { feedToken: [] }] : [{ apiKey: [] }];
}

function describeSuccess({ reply, contentType = "application/json", csv }: Endpoint): Record<string, object> {
  return {
    [contentType]: { schema: toSchema(reply) },
    ...(csv === undefined ? {} : { "text/csv": { schema: { type: "string" }, example: `${csv.join(",")}\r\n` } }),
  };
}

function formatOperationId({ method, path }: Endpoint): string {
  const words = path
    .replace(/^\/v1/, "")
    .split(/[^a-z]+/i)
    .filter(Boolean);
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

function describePathParameters({ path }: Endpoint): object[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  return name === undefined ? [] : [{ name, in: "path", required: true, schema: { type: "string" } }];
}

function describeQueryParameters({ query }: Endpoint): object[] {
  const schema = toSchema(query, "input") as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: "query",
    required: schema.required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    schema: property,
  }));
}

function describeErrors({ access, failsFlat }: Endpoint): Record<string, object> {
  const codes = new Map<number, string[]>();
  for (const code of ERROR_CODES) {
    const status = getStatus(code);
    if (access === "open" && (status === 401 || status === 403 || status === 429)) continue;
    codes.set(status, [...(codes.get(status) ?? []), toWireCode(code)]);
  }
  const envelope = { $ref: "#/components/schemas/Error" };
  const schema = failsFlat === undefined ? envelope : { anyOf: [envelope, { $ref: "#/components/schemas/FlatError" }] };
  const content = { "application/json": { schema } };
  return Object.fromEntries(
    [...codes].map(([status, names]) => [String(status), { description: names.join(", "), content }]),
  );
}

function toSchema(schema: z.ZodType, io: "input" | "output" = "output"): object {
  const described: Record<string, unknown> = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  delete described.$schema;
  return described;
}
