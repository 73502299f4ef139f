import type { components } from "./generated.js";

type ErrorBody = components["schemas"]["Error"]["error"];

/** The codes of the API. A newer server may have more; UNKNOWN is an answer without a code, such as that of a proxy. */
export type ErrorCode = components["schemas"]["ErrorCode"] | "UNKNOWN";

/** The further fields of an error, such as `suggestions` of SYMBOL_NOT_FOUND. */
export type ErrorFields = Readonly<Partial<Omit<ErrorBody, "code" | "message">>>;

/** Everything that this client throws, but for the reason of your own AbortSignal. */
export class SpotlineError extends Error {
  override readonly name: string = "SpotlineError";
}

/** The server could not be reached, or the connection was lost. `cause` has the reason. */
export class ConnectionError extends SpotlineError {
  override readonly name: string = "ConnectionError";
}

/** The server did not answer in time. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = "TimeoutError";
}

/** An export failed, or a file of it is not as the server lists it. */
export class ExportError extends SpotlineError {
  override readonly name: string = "ExportError";

  constructor(
    message: string,
    /** The id of the export. */
    readonly exportId: string,
  ) {
    super(message);
  }
}

interface ApiErrorDetails {
  readonly code: ErrorCode;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly fields: ErrorFields;
  readonly retryAfterMs: number | null;
}

/** The server refused the call. */
export class ApiError extends SpotlineError {
  override readonly name: string = "ApiError";
  readonly code: ErrorCode;
  /** The HTTP status; null for the error that ends a stream. */
  readonly status: number | null;
  /** Finds the call in the request log of the dashboard. */
  readonly requestId: string | null;
  readonly fields: ErrorFields;
  /** How long the server wants to be left alone, in milliseconds; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { code, status, requestId, fields, retryAfterMs }: ApiErrorDetails) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.fields = fields;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 429: the calls of a minute or a day are used up, or the key has too many streams. */
export class RateLimitError extends ApiError {
  override readonly name: string = "RateLimitError";
}

/** Reads the error of an answer: the envelope, the flat format of some indicators, or the text of a proxy. */
export function readApiError(status: number, headers: Headers, text: string): ApiError {
  const { code, message, fields } = readErrorBody(text) ?? { code: "UNKNOWN", message: `HTTP ${status}`, fields: {} };
  const details = {
    code,
    status,
    requestId: headers.get("x-request-id"),
    fields,
    retryAfterMs: readRetryAfter(headers.get("retry-after"), Date.now()) ?? toMs(fields.reset_in_seconds),
  };
  return status === 429 ? new RateLimitError(message, details) : new ApiError(message, details);
}

/** Reads `{success: false, error: {code, message, …}}` or `{error, message, code, retry_after?}`; null for anything else. */
export function readErrorBody(text: string): Pick<ApiError, "code" | "message" | "fields"> | null {
  const body = parseObject(text);
  if (body === null) return null;
  const { error } = body;
  if (isObject(error) && typeof error["code"] === "string") {
    const { code, message, ...fields } = error;
    return { code: code as ErrorCode, message: String(message), fields };
  }
  if (typeof error !== "string") return null;
  const wait = body["retry_after"];
  return {
    code: "UNKNOWN",
    message: String(body["message"] ?? error),
    fields: typeof wait === "number" ? { reset_in_seconds: wait } : {},
  };
}

/** Reads a Retry-After header, seconds or a date, as milliseconds from now. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

const toMs = (seconds: unknown) => (typeof seconds === "number" ? seconds * 1_000 : null);

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
