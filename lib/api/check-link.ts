import { AccessError } from "@/lib/access/access-error";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { parseBody, parseQuery } from "@/lib/api/engine/input";
import { splitParameters } from "@/lib/api/links";
import { endpoints } from "@/lib/api/registry";

/** The endpoints that a link to a table can open. */
export const TABLE_ENDPOINTS: readonly Endpoint[] = endpoints.filter(({ csv }) => csv !== undefined);

/**
 * Checks what a new link is to open. Accepts the parameters with or without a question mark.
 *
 * @returns the path, and the parameters as they are stored
 * @throws AccessError "invalid_link" with the message that a call would get
 */
export function checkTableLink(path: string, typed: string): { path: string; query: string } {
  const endpoint = TABLE_ENDPOINTS.find((each) => each.path === path);
  if (endpoint === undefined) throw new AccessError("invalid_link", "Choose a table.");
  const query = typed.trim().replace(/^\?/, "");
  const params = new URLSearchParams(query);
  const unknown = [...params.keys()].find((name) => !hasParameter(endpoint, name));
  if (unknown !== undefined) {
    throw new AccessError("invalid_link", `${path} has no parameter “${unknown.slice(0, 60)}”.`);
  }
  params.delete("format");
  const canonical = params.toString();
  try {
    const { search, body } = splitParameters(endpoint, canonical);
    parseQuery(search, endpoint.query);
    if (endpoint.body !== null && typeof body !== "string") parseBody(Buffer.from(body).toString(), endpoint.body);
  } catch (error) {
    if (error instanceof ApiError) throw new AccessError("invalid_link", `${error.message}.`.replace(/\.\.$/, "."));
    throw error;
  }
  return { path, query: canonical };
}

function hasParameter({ query, body }: Endpoint, name: string): boolean {
  return Object.hasOwn(query.shape, name) || Object.hasOwn(body?.shape ?? {}, name);
}
