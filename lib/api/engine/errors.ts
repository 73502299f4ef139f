/** Every error that an endpoint can answer, and its status. */
const STATUS_BY_CODE = {
  VALIDATION_ERROR: 400,
  INVALID_DATE: 400,
  INVALID_CATEGORY: 400,
  INVALID_DATETIME: 400,
  INVALID_IMPACT: 400,
  INVALID_PERIOD: 400,
  INVALID_RANGE: 400,
  INVALID_REQUEST: 400,
  INVALID_SORT: 400,
  INVALID_SOURCE: 400,
  INVALID_SYMBOL: 400,
  INVALID_TIMEFRAME: 400,
  INVALID_TYPE: 400,
  DATA_OUTSIDE_RETENTION: 400,
  NO_SYMBOLS: 400,
  RANGE_TOO_LARGE: 400,
  TOO_MANY_SYMBOLS: 400,
  MISSING_API_KEY: 401,
  INVALID_API_KEY: 401,
  INVALID_TOKEN: 401,
  API_KEY_DISABLED: 401,
  API_KEY_EXPIRED: 401,
  ACCOUNT_SUSPENDED: 403,
  IP_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  PERMISSION_DENIED: 403,
  PLAN_UPGRADE_REQUIRED: 403,
  TOO_MANY_ALERTS: 403,
  TOO_MANY_WEBHOOKS: 403,
  NOT_FOUND: 404,
  INDICATOR_NOT_FOUND: 404,
  ALERT_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  EXPORT_NOT_FOUND: 404,
  SYMBOL_NOT_FOUND: 404,
  SOURCE_NOT_FOUND: 404,
  DATA_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  EXPECTATION_FAILED: 417,
  UNPROCESSABLE: 422,
  UPGRADE_REQUIRED: 426,
  RATE_LIMIT_EXCEEDED: 429,
  QUOTA_EXCEEDED: 429,
  TOO_MANY_STREAMS: 429,
  TOO_MANY_EXPORTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

/** Titles of the flat format. Any other status is answered in the envelope. */
const FLAT_TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Rate Limited",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

export type ErrorCode = keyof typeof STATUS_BY_CODE;

/** A value out of bounds where the specification wants 422; bodies call it VALIDATION_ERROR too. */
export const UNPROCESSABLE = "UNPROCESSABLE" satisfies ErrorCode;
/** The codes of `/v1`, for its documentation: only `/ingest` answers with INVALID_TOKEN. */
export const ERROR_CODES = (Object.keys(STATUS_BY_CODE) as ErrorCode[]).filter((code) => code !== "INVALID_TOKEN");

/** An error answer. The message is for the caller. It never contains the cause, which goes to the log. */
export class ApiError extends Error {
  readonly status: number;

  /**
   * @param extra further fields of the error object, such as `reset_in_seconds`
   * @param headers further header lines, each ended by CRLF
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
    readonly headers = "",
  ) {
    const { stackTraceLimit } = Error;
    // Nobody reads the stack of a refusal, and collecting it takes as long as the rest of the refusal.
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = STATUS_BY_CODE[code];
  }

  /** The code that the caller gets. */
  get wireCode(): string {
    return toWireCode(this.code);
  }

  /** Format 1 of the specification's section 7. */
  body(): string {
    return JSON.stringify({ success: false, error: { code: this.wireCode, message: this.message, ...this.extra } });
  }

  /** Format 2, for the flat indicator readings. */
  flatBody(): string {
    const error = FLAT_TITLES[this.status];
    if (error === undefined) return this.body();
    const wait = this.status === 429 ? { retry_after: this.extra.reset_in_seconds } : {};
    return JSON.stringify({ error, message: this.message, code: this.status, ...wait });
  }
}

/** The code that bodies and the documentation show. */
export function toWireCode(code: ErrorCode): string {
  return code === UNPROCESSABLE ? "VALIDATION_ERROR" : code;
}

export function getStatus(code: ErrorCode): number {
  return STATUS_BY_CODE[code];
}
