import { getCurrentAccount } from "@/features/session/session";
import type { Account } from "@/lib/access/accounts/account";
import { getRuntime, type Runtime } from "@/lib/runtime";

/** What a data route reads: the caller, the server, the address's query and the path's parameters. */
export interface DataRequest<Params> {
  readonly account: Account;
  readonly runtime: Runtime;
  readonly query: URLSearchParams;
  readonly params: Params;
}

type RouteContext<Params> = { params: Promise<Params> };

/**
 * A route from which a page of the dashboard fetches its data as JSON. Only signed-in callers reach `read`, and no
 * answer is stored. `read` may return a Response instead, such as a refusal.
 */
export function createDataRoute<Params = object>(read: (request: DataRequest<Params>) => unknown) {
  return async function GET(request: Request, context: RouteContext<Params>): Promise<Response> {
    const account = await getCurrentAccount();
    if (account === null) return refuseSignedOut();
    const [runtime, params] = await Promise.all([getRuntime(), context.params]);
    const result = await read({ account, runtime, query: new URL(request.url).searchParams, params });
    return result instanceof Response ? result : Response.json(result, { headers: { "Cache-Control": "no-store" } });
  };
}

/** An answer with an error in place of the data. */
export function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status, headers: { "Cache-Control": "no-store" } });
}

/** The answer to a browser that is not, or no longer, signed in. */
export function refuseSignedOut(): Response {
  return refuse(401, "Signed out");
}
