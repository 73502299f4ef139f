import * as z from "zod";
import type { LinkEntry } from "@/lib/access/admission/directory";
import { KEY_NOT_KNOWN_YET, requireConfirmedKeys } from "@/lib/api/engine/authorise";
import type { Call } from "@/lib/api/engine/call";
import { defineEndpoint, type Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { type Exchange, findEndpoint, type LinkToken, type Match } from "@/lib/api/engine/exchange";
import { CSV_TYPE } from "@/lib/api/engine/table";
import { formatCsv } from "@/lib/text/csv";

/**
 * Opens the link whose token is in the path of a call: from here on the call is one of the endpoint that the link names,
 * with its parameters, for its key. Throws 401 for a token that is not valid or revoked, 403 for one of something else,
 * and 400 for a parameter that the link fixes.
 */
export function openLink(exchange: Exchange, opened: LinkToken): void {
  const { services } = exchange;
  requireConfirmedKeys(services, exchange.nowMs);
  const link = findLink(exchange, opened.token);
  exchange.namedKey = services.directory.key(link.keyId) ?? null;
  if (link.revoked) throw new ApiError("API_KEY_DISABLED", "This link has been revoked.");
  const target = opened.findTarget(link.path);
  if (target === null) throw new ApiError("PERMISSION_DENIED", `This link opens ${link.path} only.`);
  exchange.link = link;
  if (opened.fixesParameters) fixParameters(exchange, link, target);
  services.usage.noteLink(link, exchange.nowMs);
}

function findLink({ services, keysRefreshed }: Exchange, token: string): LinkEntry {
  const id = services.linkTokens.readId(token);
  const link = id === null ? undefined : services.directory.link(id);
  if (link !== undefined) return link;
  if (id !== null && !keysRefreshed) throw KEY_NOT_KNOWN_YET;
  throw new ApiError("INVALID_API_KEY", "This link is not valid. Copy it again from the page of its key.");
}

function fixParameters(exchange: Exchange, { path, query }: LinkEntry, target: Match): void {
  const { call, match } = exchange;
  const endpoint = target.endpoints[0] as Endpoint;
  for (const name of new URLSearchParams(call.search).keys()) {
    if (!Object.hasOwn(endpoint.query.shape, name) && !Object.hasOwn(endpoint.body?.shape ?? {}, name)) continue;
    throw new ApiError("VALIDATION_ERROR", `This link fixes its parameters. Create another one for another ${name}.`);
  }
  const { search, body } = splitParameters(endpoint, query);
  const method = endpoint.method === "GET" ? call.method : endpoint.method;
  // What the endpoint does not have, such as a number that a sheet appends to read anew, is ignored as in every call.
  const added = call.search === "" ? "" : `&${call.search}`;
  exchange.call = createCall(call, { method, path, search: `${search}format=csv${added}`, body });
  exchange.match = { ...target, ...(match?.writeError && { writeError: match.writeError }) };
  exchange.endpoint = findEndpoint(target, method);
}

function createCall(call: Call, part: Pick<Call, "method" | "path" | "search" | "body">): Call {
  return {
    ...part,
    apiKey: undefined,
    callerId: call.callerId,
    traceparent: call.traceparent,
    header: (name) => (name === "content-type" && part.body !== "none" ? "application/json" : call.header(name)),
    address: () => call.address(),
  };
}

/** Splits the parameters of a link into a query string, which is empty or ends with "&", and the body of a POST. */
export function splitParameters(endpoint: Pick<Endpoint, "body">, query: string): Pick<Call, "search" | "body"> {
  if (endpoint.body === null) return { search: query === "" ? "" : `${query}&`, body: "none" };
  const body: Record<string, string[]> = {};
  const rest = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(endpoint.body.shape, name)) body[name] = value.split(",").map((each) => each.trim());
    else rest.append(name, value);
  }
  const search = rest.toString();
  return { search: search === "" ? "" : `${search}&`, body: Buffer.from(JSON.stringify(body)) };
}

/** The path of every link to a table; the last segment is its token. */
export const CSV_LINK_PATH = "/csv/{link}";

/** The address of a table for programs that cannot send a header. The pipeline opens the link before it is handled. */
export const csvLink = defineEndpoint({
  method: "GET",
  path: CSV_LINK_PATH,
  summary: "The table of a link, as CSV.",
  access: "any-key",
  weight: 1,
  query: z.object({}),
  reply: z.string(),
  contentType: "text/csv",
  handle() {
    throw new Error("A link is handled by the endpoint that it names.");
  },
});

/** Writes an error as a table, so that a spreadsheet shows its message in a cell. */
export function writeCsvError(error: ApiError) {
  return { body: formatCsv(["error", "message"], [[error.wireCode, error.message]]), contentType: CSV_TYPE };
}
