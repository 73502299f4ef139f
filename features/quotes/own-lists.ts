import type { SavedLists } from "@/features/quotes/types";
import { refuse } from "@/features/session/data-route";
import { isFromOwnOrigin } from "@/features/session/own-origin";
import { readVisitorAddress } from "@/features/session/visitor";
import { isAccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import type { Runtime } from "@/lib/runtime";

/** All lists of an account are at most some forty kilobytes. */
const MOST_BYTES = 65_536;

export function readOwnLists({ quoteLists }: Pick<Runtime, "quoteLists">, { id }: Account): Promise<SavedLists> {
  return quoteLists.read(id);
}

/**
 * Replaces the account's lists by those of the request's body. Answers with the stored ones: 409 if another browser has
 * changed them meanwhile, 400 if a list is not valid, 413 if the body is too large, 429 if there were too many changes.
 */
export async function saveOwnLists(
  { quoteLists, changeLimits, config }: Pick<Runtime, "quoteLists" | "changeLimits" | "config">,
  { id, role }: Account,
  request: Request,
): Promise<Response | SavedLists> {
  if (!isFromOwnOrigin(request.headers, config.url)) return refuse(403, "This did not come from a page of this site.");
  const text = await request.text();
  if (text.length > MOST_BYTES) return refuse(413, "The lists are too large.");
  const body = parseBody(text);
  if (body === null) return refuse(400, "The lists could not be read.");
  try {
    await changeLimits.count({ id, role, address: await readVisitorAddress() });
    const saved = await quoteLists.save(id, body.revision, body.lists);
    return saved.isSaved ? saved : Response.json(saved, { status: 409, headers: { "Cache-Control": "no-store" } });
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return refuse(error.code === "invalid_list" ? 400 : 429, error.message);
  }
}

function parseBody(text: string): { revision: number; lists: unknown } | null {
  try {
    const { revision, lists } = JSON.parse(text) as Record<string, unknown>;
    return typeof revision === "number" && Number.isInteger(revision) && Math.abs(revision) < 2 ** 31
      ? { revision, lists }
      : null;
  } catch {
    return null;
  }
}
