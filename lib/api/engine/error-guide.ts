import type { ErrorCode } from "@/lib/api/engine/errors";

/** What an error means, and what its caller can do about it. */
export interface ErrorGuide {
  readonly meaning: string;
  readonly remedy: string;
}

const WRONG_VALUE =
  "Correct the parameter that the message names. The documentation of the endpoint lists what it accepts.";

const GUIDES: Readonly<Record<Exclude<ErrorCode, "UNPROCESSABLE" | "INVALID_TOKEN">, ErrorGuide>> = {
  VALIDATION_ERROR: {
    meaning: "A parameter or the body of the call is missing, repeated or not valid. The message names it.",
    remedy: WRONG_VALUE,
  },
  INVALID_CATEGORY: { meaning: "The category is not one that indicators have.", remedy: WRONG_VALUE },
  INVALID_DATE: { meaning: "A date is not valid ISO 8601, or the window ends before it begins.", remedy: WRONG_VALUE },
  INVALID_DATETIME: { meaning: "A time is not valid ISO 8601, such as 2026-01-15T10:30:00Z.", remedy: WRONG_VALUE },
  INVALID_IMPACT: { meaning: "The impact of events is not low, medium or high.", remedy: WRONG_VALUE },
  INVALID_PERIOD: { meaning: "The period is not one that the endpoint has.", remedy: WRONG_VALUE },
  INVALID_RANGE: { meaning: "The end of the range is not later than its beginning.", remedy: WRONG_VALUE },
  INVALID_REQUEST: { meaning: "The list of symbols in the body is empty.", remedy: "Name at least one symbol." },
  INVALID_SORT: { meaning: "The order is not asc or desc.", remedy: WRONG_VALUE },
  INVALID_SOURCE: { meaning: "The source of events is not one that the endpoint has.", remedy: WRONG_VALUE },
  INVALID_SYMBOL: {
    meaning: "The symbol is longer than any name, or has characters that no broker’s spelling has.",
    remedy: "Check how the program writes the symbol into the call. GET /v1/symbols lists every symbol.",
  },
  INVALID_TIMEFRAME: { meaning: "The timeframe is not one that the endpoint has.", remedy: WRONG_VALUE },
  INVALID_TYPE: { meaning: "The type is not one that the endpoint has.", remedy: WRONG_VALUE },
  DATA_OUTSIDE_RETENTION: {
    meaning: "The whole range is older than the prices that are stored.",
    remedy: "Choose a range that ends after earliest_available.",
  },
  NO_SYMBOLS: { meaning: "The call names no symbol.", remedy: "Name at least one symbol." },
  RANGE_TOO_LARGE: {
    meaning: "The call covers more time than one answer may.",
    remedy: "Split the range, and make one call for each part.",
  },
  TOO_MANY_SYMBOLS: {
    meaning: "The call names more symbols than one answer may have.",
    remedy: "Make several calls. The message says how many symbols one may name.",
  },
  MISSING_API_KEY: {
    meaning: "The call has no key.",
    remedy: "Send the key in the header X-API-Key.",
  },
  INVALID_API_KEY: {
    meaning: "There is no key with this secret.",
    remedy:
      "Check that the whole secret is sent. A lost secret cannot be shown again: rotate the key or create another.",
  },
  API_KEY_DISABLED: {
    meaning: "The key is disabled or was revoked.",
    remedy:
      "Enable the key on its page. A revoked key can be restored for fifteen minutes; after that, create another. If this is not a program of yours, the secret is known to somebody else.",
  },
  API_KEY_EXPIRED: {
    meaning: "The key has reached its end.",
    remedy: "Create another key, or rotate one before its end: both secrets are accepted for a time.",
  },
  ACCOUNT_SUSPENDED: {
    meaning: "The operator has suspended the account.",
    remedy: "Ask the operator of this installation for the reason.",
  },
  IP_NOT_ALLOWED: {
    meaning: "The call came from an address that the key’s allow-list does not contain.",
    remedy:
      "If the program is yours, add its address on the page of the key. If it is not, rotate the key: the secret is known to somebody else.",
  },
  ORIGIN_NOT_ALLOWED: {
    meaning: "A page called in a browser, and the key does not list the origin of that page.",
    remedy: "If the page is yours, add its origin on the page of the key, such as https://app.example.com.",
  },
  PERMISSION_DENIED: {
    meaning: "The key’s scopes, endpoints or symbols do not include what the call reads.",
    remedy: "Add it on the page of the key, or use a key that includes it.",
  },
  PLAN_UPGRADE_REQUIRED: {
    meaning: "The plan of the account, or the kind of the key, does not include this data.",
    remedy: "See on the page of the plan which plan includes it.",
  },
  TOO_MANY_ALERTS: {
    meaning: "The account has as many alerts as its plan allows.",
    remedy: "Pause or delete an alert. The page of the plan shows the number of each plan.",
  },
  TOO_MANY_WEBHOOKS: {
    meaning: "The account has as many webhooks as its plan allows.",
    remedy: "Delete a webhook, or send several alerts to one. The page of the plan shows the number of each plan.",
  },
  ALERT_NOT_FOUND: {
    meaning: "The account has no alert with this id, or the key may not read its symbol.",
    remedy: "GET /v1/alerts lists the alerts.",
  },
  WEBHOOK_NOT_FOUND: {
    meaning: "The account has no webhook with this id.",
    remedy: "GET /v1/webhooks lists the webhooks.",
  },
  EXPORT_NOT_FOUND: {
    meaning: "The account has no export with this id, or it has expired.",
    remedy: "Begin another one with POST /v1/export.",
  },
  NOT_FOUND: { meaning: "There is no endpoint at this path.", remedy: "Compare the path with the documentation." },
  INDICATOR_NOT_FOUND: {
    meaning: "No indicator has this name.",
    remedy: "The error lists all names in available_indicators. GET /v1/indicators/list says what each one is.",
  },
  SYMBOL_NOT_FOUND: {
    meaning: "No instrument has this name or spelling, or several may be meant.",
    remedy: "GET /v1/symbols lists every symbol. If several may be meant, the message names them.",
  },
  SOURCE_NOT_FOUND: {
    meaning: "No source of prices has this name.",
    remedy: "GET /v1/quote with include_sources=true lists the sources of a symbol.",
  },
  DATA_NOT_FOUND: {
    meaning: "Nothing, too little, or nothing new was recorded for this symbol and time.",
    remedy:
      "Try again once there is more, or choose a time in which prices were recorded. The message says what is missing.",
  },
  METHOD_NOT_ALLOWED: {
    meaning: "The endpoint does not answer this HTTP method.",
    remedy: "The header Allow of the answer lists the methods.",
  },
  NOT_ACCEPTABLE: {
    meaning: "The header Accept asks for a format that the endpoint does not have.",
    remedy: "Ask for JSON or, where there is a table, CSV. POST /v1/export makes Parquet files.",
  },
  REQUEST_TIMEOUT: {
    meaning: "The head or the body of the call did not arrive in time.",
    remedy: "Send the call again, at once and whole.",
  },
  EXPECTATION_FAILED: {
    meaning: "The header Expect asks for something else than 100-continue.",
    remedy: "Leave out the header Expect.",
  },
  PAYLOAD_TOO_LARGE: { meaning: "The body is larger than the endpoint reads.", remedy: "Make several smaller calls." },
  URI_TOO_LONG: {
    meaning: "Path and query together are longer than 8,192 characters.",
    remedy: "Name fewer symbols in one call, or use an endpoint that reads them from a body.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: "The body is not marked as JSON, or is compressed.",
    remedy: "Send the header Content-Type: application/json, and the body without a Content-Encoding.",
  },
  RANGE_NOT_SATISFIABLE: {
    meaning: "The range of bytes begins after the end of the file.",
    remedy: "The header Content-Range has the size of the file: if all of it is there, the download is complete.",
  },
  UPGRADE_REQUIRED: {
    meaning: "The address is that of the WebSocket, or a WebSocket was asked for at another one.",
    remedy: "Connect with a WebSocket client to /ws/v1/quotes, or read /v1/stream as server-sent events.",
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: "The key has used up its calls of the minute. Refused calls count, too.",
    remedy:
      "Wait for the seconds in the header Retry-After, then call less often. Bulk endpoints such as POST /v1/quotes answer many symbols with one call.",
  },
  QUOTA_EXCEEDED: {
    meaning: "The calls of the day of the account, or of the key itself, are used up.",
    remedy: "They start anew at midnight UTC. The page of the plan shows plans with more calls.",
  },
  TOO_MANY_STREAMS: {
    meaning: "The key has as many open streams as its plan allows.",
    remedy: "Close a stream, or read more symbols with one. The page of the plan shows the number of each plan.",
  },
  TOO_MANY_EXPORTS: {
    meaning: "The account has as many exports as it may have.",
    remedy: "Wait until one is finished, or delete one with DELETE /v1/export/{id}.",
  },
  HEADERS_TOO_LARGE: {
    meaning: "The headers of the call are larger than 16 KiB.",
    remedy: "Send fewer or shorter headers, such as cookies that the API does not read.",
  },
  INTERNAL_ERROR: {
    meaning: "The server failed. The call itself was not the reason.",
    remedy:
      "Try again. If it fails again, give the operator the request id, which finds the cause in the server’s log.",
  },
  SERVICE_UNAVAILABLE: {
    meaning: "The server could not reach its database, or lacks the newest prices.",
    remedy: "Try again after the seconds in the header Retry-After.",
  },
};

/** Explains the code of an error of `/v1`; null for a text that is none. */
export function findErrorGuide(wireCode: string): ErrorGuide | null {
  return Object.hasOwn(GUIDES, wireCode) ? GUIDES[wireCode as keyof typeof GUIDES] : null;
}
