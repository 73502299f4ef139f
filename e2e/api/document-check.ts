import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { endpoints, matchPath } from "@/lib/api/registry";

/** Compares answers with the OpenAPI document. */

interface Described {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly security: readonly unknown[];
  readonly responses: Readonly<Record<string, Described & { readonly $ref?: string; readonly description: string }>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Operation["responses"];
  };
}

interface ComparedAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text of another type; empty for HEAD and 304. */
  readonly body: unknown;
}

const document = close(describeApi(endpoints, "https://prices.test")) as ApiDocument;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const validators = new Map<object, ValidateFunction>();

/** Headers that every HTTP server may send. */
const COMMON_HEADERS =
  /^(access-control-.+|cache-control|connection|content-.+|date|keep-alive|transfer-encoding|vary|x-accel-buffering|x-content-type-options)$/;
/** Answers without a key name a limit of 0. */
const LIMIT_HEADERS = /^(x-ratelimit-.+|ratelimit.*)$/;

/**
 * Lists what the document does not say of an answer. Answers of no endpoint, and to another method, are not described.
 */
export function findUndocumented({ method, path, status, headers, body }: ComparedAnswer): string[] {
  const match = matchPath(path);
  const operation = document.paths[match?.path ?? ""]?.[method === "HEAD" ? "get" : method.toLowerCase()];
  if (operation === undefined) return [];
  const described = find(operation, status);
  const name = `${method} ${match?.path} ${status}`;
  if (described === undefined) return [`${name} is not in the document`];
  const faults = findHeaders(headers, described, operation).map((header) => `${name} has no header ${header}`);
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  if (status === 304 || method === "HEAD" || body === "") return faults;
  const schema = described.content?.[type]?.schema;
  if (schema === undefined) return [...faults, `${name} has no content ${type}`];
  const validate = getValidator(schema);
  if (!validate(body)) faults.push(`${name} does not match its schema: ${ajv.errorsText(validate.errors)}`);
  const code = (body as { error?: { code?: string } } | null)?.error?.code;
  if (code !== undefined && !described.description.split(", ").includes(code))
    faults.push(`${name} has no code ${code}`);
  return faults;
}

function find({ responses }: Operation, status: number): Operation["responses"][string] | undefined {
  const answer = responses[status];
  const name = answer?.$ref?.split("/").at(-1);
  return name === undefined ? answer : document.components.responses[name];
}

function findHeaders(headers: Headers, described: Described, { security }: Operation): string[] {
  const known = Object.keys(described.headers ?? {}).map((name) => name.toLowerCase());
  return [...headers.keys()].filter(
    (name) =>
      !known.includes(name) && !COMMON_HEADERS.test(name) && !(security.length === 0 && LIMIT_HEADERS.test(name)),
  );
}

function getValidator(schema: object): ValidateFunction {
  let validate = validators.get(schema);
  if (validate === undefined) {
    // The references in it start at the root, where the document has its components.
    validate = ajv.compile({ ...schema, components: document.components });
    validators.set(schema, validate);
  }
  return validate;
}

/** Refuses fields that are not described: clients must expect new ones, but the document must have those of today. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (value === null || typeof value !== "object") return value;
  const closed = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, close(each)]));
  const isObject = typeof closed.properties === "object" && closed.type === "object";
  return isObject && closed.additionalProperties === undefined ? { ...closed, additionalProperties: false } : closed;
}
