import { refuse } from "@/features/session/data-route";
import type { DataRequest } from "@/features/session/data-route";
import { isFromOwnOrigin } from "@/features/session/own-origin";
import { readVisitorAddress } from "@/features/session/visitor";
import { isAccessError } from "@/lib/access/access-error";

/** The changes of an account's screens. Each is of its own screens only, and comes from a page of this site. */

/** A screen is at most some eight kilobytes. */
const MOST_BYTES = 32_768;

type Request<Params> = Omit<DataRequest<Params>, "query">;
type Body = Readonly<Record<string, unknown>>;

/** Creates a screen of the request's body. Answers with it: 400 if it is not valid, 409 if there are too many. */
export function createScreen(request: Request<object>) {
  return change(request, ({ name, content }) => request.runtime.screens.create(request.account.id, { name, content }));
}

/**
 * Replaces a screen by that of the request's body. Answers with the stored one: 409 if another browser has changed it
 * meanwhile, 404 if the account has none of this id.
 */
export function saveScreen(request: Request<{ id: string }>) {
  const { runtime, account, params } = request;
  return change(request, async ({ revision, name, content }) => {
    if (typeof revision !== "number" || !Number.isInteger(revision) || Math.abs(revision) >= 2 ** 31) {
      return refuse(400, "The revision must be a whole number.");
    }
    const saved = await runtime.screens.save(account.id, params.id, { revision, name, content });
    if (saved === null) return refuse(404, "This screen no longer exists.");
    return saved.isSaved ? saved : Response.json(saved, { status: 409, headers: { "Cache-Control": "no-store" } });
  });
}

/** Deletes a screen. Answers with those that are left. */
export function removeScreen(request: Request<{ id: string }>) {
  const { runtime, account, params } = request;
  return change(request, async () => {
    const isRemoved = await runtime.screens.remove(account.id, params.id);
    return isRemoved
      ? { screens: await runtime.screens.list(account.id) }
      : refuse(404, "This screen no longer exists.");
  });
}

/** Puts the screens into the order of the ids in the request's body. Answers with all of them. */
export function orderScreens(request: Request<object>) {
  const { runtime, account } = request;
  return change(request, async ({ ids }) => {
    if (!Array.isArray(ids) || !ids.every((id): id is string => typeof id === "string")) {
      return refuse(400, "The ids must be an array of texts.");
    }
    return { screens: await runtime.screens.order(account.id, ids) };
  });
}

async function change<Params>({ request, runtime, account }: Request<Params>, work: (body: Body) => Promise<unknown>) {
  if (!isFromOwnOrigin(request.headers, runtime.config.url)) {
    return refuse(403, "This did not come from a page of this site.");
  }
  const text = await request.text();
  if (text.length > MOST_BYTES) return refuse(413, "The screen is too large.");
  const body = text === "" ? {} : parseBody(text);
  if (body === null) return refuse(400, "The screen could not be read.");
  try {
    const { id, role } = account;
    await runtime.changeLimits.count({ id, role, address: await readVisitorAddress() });
    return await work(body);
  } catch (error) {
    if (!isAccessError(error)) throw error;
    const status = { invalid_screen: 400, too_many_screens: 409 }[error.code as string] ?? 429;
    return refuse(status, error.message);
  }
}

function parseBody(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Body) : null;
  } catch {
    return null;
  }
}
