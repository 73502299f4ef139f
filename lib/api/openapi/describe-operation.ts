import { STATUS_CODES } from "node:http";
import * as z from "zod";
import { listPlansWith } from "@/lib/access/plans";
import { AS_OF_HEADERS } from "@/lib/api/engine/as-of";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { type ErrorCode, getStatus, toWireCode } from "@/lib/api/engine/errors";
import { symbolParam } from "@/lib/api/engine/params";
import { errorReply, flatErrorReply } from "@/lib/api/engine/replies";
import type { ResponseHeader } from "@/lib/api/engine/response-headers";
import type { Components } from "@/lib/api/openapi/components";
import { findExamples, hasErrorExample } from "@/lib/api/openapi/recorded-examples";

/** The statuses whose answers are the same for most operations. */
const SHARED = new Set([401, 406, 408, 413, 414, 415, 417, 429, 431, 500, 503]);
const HEADERS_BY_STATUS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};
const LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
] as const;

/** Describes an endpoint as an operation of the document. */
export function describeOperation(endpoint: Endpoint, components: Components): object {
  const { entitlement, access, scope, group, needsEntitlement } = endpoint;
  const { parameters, refusals } = describeParameters(endpoint, components);
  return {
    operationId: formatOperationId(endpoint),
    summary: endpoint.summary,
    description: [endpoint.description, formatTerms(endpoint)].filter(Boolean).join("\n\n"),
    ...(group === undefined ? {} : { tags: [group] }),
    ...(access === "open" ? { security: [] } : { security: describeSecurity(endpoint), "x-credits": endpoint.weight }),
    ...(scope === null ? {} : { "x-scope": scope }),
    ...(entitlement === null ? {} : { "x-plans": listPlansWith(entitlement) }),
    ...(needsEntitlement === undefined ? {} : { "x-plans-for-some-calls": true }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...describeBody(endpoint, components),
    responses: {
      [endpoint.successStatus ?? 200]: describeSuccess(endpoint, components),
      ...(endpoint.answersRanges
        ? { "206": { ...describeSuccess(endpoint, components), description: "The range" } }
        : {}),
      ...(endpoint.headers?.includes("ETag")
        ? {
            "304": {
              description: "Not changed since the ETag of If-None-Match",
              headers: pointToHeaders(endpoint, ["ETag"]),
            },
          }
        : {}),
      ...describeErrors(endpoint, refusals, components),
    },
  };
}

export function formatOperationId({ method, path }: Pick<Endpoint, "method" | "path">): string {
  const words = path
    .replace(/^\/v1/, "")
    .split(/[^a-z]+/i)
    .filter(Boolean);
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

/** Formats what a call costs, and which keys may make it, as sentences. */
export function formatTerms({ access, weight, scope, entitlement, needsEntitlement }: Endpoint): string {
  if (access === "open") return "Needs no key and costs nothing.";
  const cost = `Costs ${weight} credit${weight === 1 ? "" : "s"}.`;
  const needed = scope === null ? "Open to every key" : `Needs the scope ${scope}`;
  if (entitlement === null) return `${cost} ${needed}, on every plan.`;
  const calls = needsEntitlement === undefined ? "on" : "and for some calls one of";
  const plans = listPlansWith(entitlement).map((name) => (name === "tool" ? "tool keys" : name));
  return `${cost} ${needed}, ${calls} the plans ${plans.join(", ")}.`;
}

function describeSecurity({ takesFeedToken }: Endpoint): object[] {
  return [{ apiKey: [] }, { bearer: [] }, ...(takesFeedToken ? [{ feedToken: [] }] : [])];
}

function describeBody(endpoint: Endpoint, components: Components): object {
  if (endpoint.body === null) return {};
  const described = components.describe(endpoint.body, "input") as { properties?: Record<string, ParameterSchema> };
  const properties = Object.entries(described.properties ?? {}).map(([name, { refusedWith: _, ...rest }]) => [
    name,
    rest,
  ]);
  const schema =
    described.properties === undefined
      ? described
      : { ...described, properties: Object.fromEntries(properties) as object };
  const examples = findExamples(formatOperationId(endpoint)).map(({ title, body }) => [title, { value: body }]);
  return {
    requestBody: {
      required: true,
      content: { "application/json": { schema, examples: Object.fromEntries(examples) as object } },
    },
  };
}

function describeSuccess(endpoint: Endpoint, components: Components): object {
  const { reply, contentType = "application/json", bytesType, csv } = endpoint;
  const examples = findExamples(formatOperationId(endpoint)).map(({ title, answer }) => [title, { value: answer }]);
  return {
    description: "Success",
    headers: pointToHeaders(endpoint, [...(endpoint.headers ?? []), ...(endpoint.asOf === null ? [] : AS_OF_HEADERS)]),
    content: {
      [contentType]: {
        schema: components.describe(reply),
        ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) as object }),
      },
      ...(bytesType === undefined ? {} : { [bytesType]: { schema: { type: "string", format: "binary" } } }),
      ...(csv === undefined ? {} : { "text/csv": { schema: { type: "string" }, example: `${csv.join(",")}\r\n` } }),
    },
  };
}

function pointToHeaders({ access }: Endpoint, own: readonly ResponseHeader[] = []): object {
  const limits = access === "key" ? LIMIT_HEADERS : [];
  const names: ResponseHeader[] = ["X-Request-Id", "traceparent", ...limits, "X-Ignored-Params", ...own];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function describeErrors(endpoint: Endpoint, refusals: readonly ErrorCode[], components: Components): object {
  const schema = components.describe(errorReply);
  const flat = endpoint.failsFlat === undefined ? null : components.describe(flatErrorReply);
  const answers = [...listErrors(endpoint, refusals)].map(([status, codes]) => {
    const names = [...new Set(codes.map(toWireCode))];
    const examples = codes.filter(hasErrorExample).map((code) => [code, { $ref: `#/components/examples/${code}` }]);
    const answer = {
      description: names.join(", "),
      headers: pointToHeaders(endpoint, HEADERS_BY_STATUS[status]),
      content: {
        "application/json": {
          schema: flat === null ? schema : { anyOf: [schema, flat] },
          ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) as object }),
        },
      },
    };
    const name = SHARED.has(status) && flat === null && endpoint.access === "key" ? formatName(status) : undefined;
    return [String(status), components.describeAnswer(name, answer)];
  });
  return Object.fromEntries(answers) as object;
}

const formatName = (status: number) => (STATUS_CODES[status] ?? "").replaceAll(/[^a-z]/gi, "");

interface ParameterSchema {
  readonly type?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly refusedWith?: readonly ErrorCode[];
}

/** Describes the parameters of an endpoint, from the schemas that check them. */
export function describeParameters(endpoint: Endpoint, components: Components) {
  const { properties = {}, required = [] } = components.describe(endpoint.query, "input") as {
    properties?: Record<string, ParameterSchema>;
    required?: string[];
  };
  const refusals: ErrorCode[] = [];
  const parameters: object[] = describePathParameters(endpoint, components);
  for (const [name, { description, example, refusedWith, ...schema }] of Object.entries(properties)) {
    // The token is described as a security scheme.
    if (endpoint.takesFeedToken && name === "token") continue;
    refusals.push(...(refusedWith ?? []));
    const byDefault = findDefault(endpoint.query.shape[name]);
    parameters.push({
      name,
      in: "query",
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      // Lists are one value, separated by commas.
      ...(schema.type === "array" ? { style: "form", explode: false } : {}),
      ...(example === undefined ? {} : { example }),
      schema: byDefault === undefined ? schema : { ...schema, default: byDefault },
    });
  }
  return { parameters, refusals };
}

/** The default of a parameter. JSON Schema leaves out those of parameters that are parsed from text. */
function findDefault(schema: unknown): unknown {
  for (let each = schema; each instanceof z.ZodType; each = (each.def as { innerType?: unknown }).innerType) {
    if (each instanceof z.ZodDefault) return each.def.defaultValue;
  }
  return undefined;
}

/** A parameter in a path is a symbol, the name of a file, or the id of what it names. */
function describePathParameters({ path }: Endpoint, components: Components): object[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [];
  if (name === "file") {
    return [{ name, in: "path", required: true, description: "The name of the file", schema: { type: "string" } }];
  }
  if (name !== "symbol") {
    const what = name === "id" ? path.split("/").at(-2) : name;
    const schema = { type: "string", format: "uuid" };
    return [{ name, in: "path", required: true, description: `The id of the ${what}`, schema }];
  }
  const { description, example, ...schema } = components.describe(symbolParam, "input") as ParameterSchema;
  return [{ name, in: "path", required: true, description, example, schema }];
}

const ALWAYS: readonly ErrorCode[] = [
  ...(["VALIDATION_ERROR", "REQUEST_TIMEOUT", "URI_TOO_LONG", "EXPECTATION_FAILED"] as const),
  ...(["HEADERS_TOO_LARGE", "INTERNAL_ERROR"] as const),
];
const WITH_KEY: readonly ErrorCode[] = [
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "API_KEY_DISABLED",
  "API_KEY_EXPIRED",
  "ACCOUNT_SUSPENDED",
  "IP_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "PERMISSION_DENIED",
  "NOT_ACCEPTABLE",
  "RATE_LIMIT_EXCEEDED",
  "QUOTA_EXCEEDED",
  "SERVICE_UNAVAILABLE",
];
const WITH_BODY: readonly ErrorCode[] = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

/**
 * Lists the errors of an endpoint by status: those of its key, its plan, its body and its parameters, and its own.
 * Calls of another path or method have errors that belong to no endpoint.
 *
 * @param ofParameters the codes with which its parameters are refused
 */
function listErrors(endpoint: Endpoint, ofParameters: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...ALWAYS,
    ...(endpoint.access === "key" ? WITH_KEY : []),
    ...(endpoint.entitlement === null && endpoint.asOf === null ? [] : (["PLAN_UPGRADE_REQUIRED"] as const)),
    ...(endpoint.asOf === null ? [] : (["DATA_NOT_FOUND"] as const)),
    ...(endpoint.body === null ? [] : WITH_BODY),
    ...ofParameters,
    ...(endpoint.errors ?? []),
    ...(endpoint.errors?.includes("SYMBOL_NOT_FOUND") ? (["INVALID_SYMBOL"] as const) : []),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort((one, other) => getStatus(one) - getStatus(other))) {
    byStatus.set(getStatus(code), [...(byStatus.get(getStatus(code)) ?? []), code]);
  }
  return byStatus;
}
