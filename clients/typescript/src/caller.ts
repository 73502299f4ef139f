import { ApiError } from "./errors.js";
import { OPERATIONS } from "./generated.js";
import { readMeta } from "./meta.js";
import { formatTarget } from "./target.js";
import type { CallOptions, Transport } from "./transport.js";
import type { Answer, Body, Data, OperationId, Query } from "./types.js";

/** What a call sends. */
export interface CallInput<Id extends OperationId> {
  readonly query?: Query<Id> | undefined;
  /** The path parameter, as in /v1/symbols/{symbol}. */
  readonly path?: string | undefined;
  readonly body?: Body<Id> | undefined;
  readonly accepted?: number;
}

/** Makes any call of the document, by its operation id. */
export async function call<Id extends OperationId>(
  transport: Transport,
  id: Id,
  { query, path, body, accepted }: CallInput<Id>,
  options?: CallOptions,
): Promise<Answer<Data<Id>>> {
  const { method, path: template } = OPERATIONS[id];
  const target = formatTarget(template.replace(/\{\w+\}/, encodeURIComponent(path ?? "")), query);
  const request = { method, target, body, ...(accepted === undefined ? {} : { accepted }) };
  const { response, text } = await transport.send(request, options);
  const meta = readMeta(response);
  return { data: readData(text, response, meta.requestId) as Data<Id>, meta };
}

/** Reads the data of a JSON answer, without its envelope if it has one; text of another type as it is. */
function readData(text: string, { status, headers }: Response, requestId: string | null): unknown {
  if (!/^application\/json\b/.test(headers.get("content-type") ?? "")) return text;
  try {
    const body = JSON.parse(text) as { success?: unknown; data?: unknown };
    return body.success === true && body.data !== undefined ? body.data : body;
  } catch {
    const rest = { code: "UNKNOWN", status, requestId, fields: {}, retryAfterMs: null } as const;
    throw new ApiError("The answer is not JSON.", rest);
  }
}
