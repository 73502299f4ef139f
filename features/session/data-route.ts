import { readAt } from "@/components/ui/past-address";
import { describeProblem, openMarketAt } from "@/features/session/past";
import { getCurrentAccount, isSessionAlive } from "@/features/session/session";
import { getDemoAccount, isWithinDemoLimit, isWithinPageLimit } from "@/features/session/viewer";
import type { Account } from "@/lib/access/accounts/account";
import { STALE_PRICES } from "@/lib/api/engine/stale-prices";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import { takeTurns } from "@/lib/platform/timing/slices";
import { getRuntime, type Runtime } from "@/lib/runtime";

/** The input of a data route: the caller, the runtime, the query and the parameters of the path. */
export interface DataRequest<Params> {
  readonly account: Account;
  readonly runtime: Runtime;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly params: Params;
}

type RouteContext<Params> = { params: Promise<Params> };

/** What a request that takes as long as ten usual ones is worth. Those of one account are answered one after the other. */
export const DEAR = 10;
/** What one of the past is worth. A replay sends many. */
const PAST = 2;
export const TOO_MANY_REQUESTS = "Too many requests of this account's pages within a minute. Close some windows.";
const inTurn = takeTurns();

/**
 * Creates a route with which a page of the dashboard exchanges its data as JSON. Only signed-in callers reach `read`, and
 * no answer is stored. `read` may return a Response instead, such as a refusal.
 */
export function createDataRoute<Params = object>(read: (request: DataRequest<Params>) => unknown) {
  return (request: Request, context: RouteContext<Params>): Promise<Response> =>
    answerOrRefuse(async () => {
      const account = await getCurrentAccount();
      if (account === null || (request.method !== "GET" && !(await isSessionAlive()))) return refuseSignedOut();
      if (!(await isWithinPageLimit(account))) return refuse(429, TOO_MANY_REQUESTS);
      return answerData(account, await getRuntime(), request, context, read);
    });
}

/**
 * Creates a route like `createDataRoute` for data of the markets, which visitors of the demo see too. With `at` in its
 * query it answers as of a second of the past. While the prices of this process are too old, the route answers 503, and
 * the page tells that its data no longer updates.
 *
 * @param weigh how many usual requests a query is worth: 1, or DEAR
 */
export function createViewRoute<Params = object>(
  read: (request: DataRequest<Params>) => unknown,
  weigh: (query: URLSearchParams) => number = () => 1,
) {
  const readFresh = (request: DataRequest<Params>) => (request.runtime.isStale() ? refuseStale() : read(request));
  return (request: Request, context: RouteContext<Params>): Promise<Response> =>
    answerOrRefuse(async () => {
      const query = new URL(request.url).searchParams;
      const cost = Math.max(query.has("at") ? PAST : 1, weigh(query));
      const account = await getCurrentAccount();
      const demo = account === null ? await getDemoAccount() : null;
      const viewer = account ?? demo;
      if (viewer === null) return refuseSignedOut();
      if (demo !== null && !(await isWithinDemoLimit())) return refuse(429, "Too many requests of the demo");
      if (account !== null && !(await isWithinPageLimit(account, cost))) return refuse(429, TOO_MANY_REQUESTS);
      const answerViewer = () => answerMarket(viewer, request, context, readFresh);
      return cost === DEAR ? inTurn(viewer.id, answerViewer) : answerViewer();
    });
}

/** Refuses what needs the database while it cannot be reached. The page asks again by itself. */
async function answerOrRefuse(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return refuse(503, "The database cannot be reached at the moment.");
  }
}

async function answerMarket<Params>(
  account: Account,
  request: Request,
  context: RouteContext<Params>,
  read: (request: DataRequest<Params>) => unknown,
): Promise<Response> {
  const { runtime, missing, problem } = await openMarketAt(account, readAt(new URL(request.url).searchParams));
  // A page tells itself what it lacks; without prices and events it has nothing to show.
  const { prices = null, events = null } = missing ?? {};
  const gap = prices !== null && events !== null ? ({ kind: "gap", ...prices } as const) : null;
  const refused = problem ?? gap;
  if (refused !== null) {
    const { status, error } = describeProblem(refused);
    return refuse(status, error);
  }
  return answerData(account, runtime, request, context, read);
}

async function answerData<Params>(
  account: Account,
  runtime: Runtime,
  request: Request,
  context: RouteContext<Params>,
  read: (request: DataRequest<Params>) => unknown,
): Promise<Response> {
  const params = await context.params;
  const result = await read({ account, runtime, request, query: new URL(request.url).searchParams, params });
  return result instanceof Response ? result : Response.json(result, { headers: { "Cache-Control": "no-store" } });
}

/** Returns an answer with an error in place of the data. */
export function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status, headers: { "Cache-Control": "no-store" } });
}

/** Returns the answer while the prices of this process are too old to be shown. */
export function refuseStale(): Response {
  return refuse(503, STALE_PRICES.message);
}

/** Returns the answer to a browser that is not signed in. */
export function refuseSignedOut(): Response {
  return refuse(401, "Signed out");
}

/** Returns a CSV file to download. `name` is the file's name without its ending. */
export function answerCsv(name: string, csv: string): Response {
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}
