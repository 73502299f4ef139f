import type { z } from "zod";
import { ApiError, UNPROCESSABLE } from "@/lib/api/engine/errors";
import { type Refusal, repetitions } from "@/lib/api/engine/params";

/** A query or a body after validation, and the names in it that mean nothing here. */
export interface Input<T> {
  readonly value: T;
  /** Percent-encoded, comma-separated, for X-Ignored-Params; null when every name was known. */
  readonly ignored: string | null;
}

/**
 * Reads a query string against a schema of parameters. Refuses, with 400 VALIDATION_ERROR, what is repeated,
 * undecodable or not as the schema wants it; passes over unknown names but reports them.
 */
export function readQuery<Shape extends z.ZodRawShape>(
  search: string,
  schema: z.ZodObject<Shape>,
): Input<z.output<z.ZodObject<Shape>>> {
  const values = new Map<string, string>();
  const unknown = new Set<string>();
  for (const part of search === "" ? [] : search.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? "" : part.slice(equals + 1));
    if (!Object.hasOwn(schema.shape, name)) unknown.add(name);
    else if (values.has(name)) throw createRepeatedError(name, schema.shape[name]);
    else values.set(name, value);
  }
  return { value: validate(Object.fromEntries(values), schema), ignored: formatHeaderList(unknown) };
}

/** A parameter as a query string first gives it, even where the rest of the string is not valid; null without one. */
export function findFirstValue(search: string, name: string): string | null {
  // On the way to a refusal nothing may be refused, and this reads whatever it is given.
  return new URLSearchParams(search).get(name);
}

export const NOT_JSON = "the body is not valid JSON in UTF-8";

/** Reads a JSON body against a schema. Refuses it with 400 VALIDATION_ERROR; passes over unknown fields but reports them. */
export function readBody<Schema extends z.ZodObject>(text: string, schema: Schema): Input<z.output<Schema>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ApiError("VALIDATION_ERROR", NOT_JSON);
  }
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) {
    throw new ApiError("VALIDATION_ERROR", "the body must be a JSON object");
  }
  const unknown = new Set(Object.keys(parsed).filter((name) => !Object.hasOwn(schema.shape, name)));
  return { value: validate(parsed, schema), ignored: formatHeaderList(unknown) };
}

/**
 * Validates values against a schema. Throws, naming the first field that is wrong and why, the error code that field
 * brings along (see `refuseParam`), else 400 VALIDATION_ERROR.
 */
function validate<Schema extends z.ZodType>(values: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  const missing = issue?.code === "invalid_type" && issue.input === undefined && issue.path.length === 1;
  const isMissing = missing && (values === null || typeof values !== "object" || !Object.hasOwn(values, field));
  const message = isMissing ? `${field} is required` : `${field} ${issue?.message ?? "is not valid"}`.trim();
  const own = issue?.code === "custom" ? (issue.params as Partial<Refusal> | undefined) : undefined;
  const code = own?.errorCode ?? "VALIDATION_ERROR";
  const details = [{ loc: ["query", field], msg: message, type: "value_error" }];
  throw new ApiError(code, message, code === UNPROCESSABLE ? { details } : own?.extra);
}

function createRepeatedError(name: string, parameter: unknown): ApiError {
  const own = repetitions.get(parameter as z.ZodType);
  return new ApiError(own?.errorCode ?? "VALIDATION_ERROR", `${name} must be given only once`, own?.extra);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    throw new ApiError("VALIDATION_ERROR", "the query string is not valid percent-encoded UTF-8");
  }
}

/** Names from outside, made safe for a header and kept short. */
function formatHeaderList(names: ReadonlySet<string>): string | null {
  if (names.size === 0) return null;
  return [...names]
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.slice(0, 64).toWellFormed()))
    .join(", ");
}
