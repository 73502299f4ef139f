import { createDataRoute, refuse } from "@/features/session/data-route";
import { readStatusData } from "@/features/status/data";
import { getRuntime } from "@/lib/runtime";

const GET_FOR_OPERATORS = createDataRoute(({ account, runtime }) =>
  account.role === "operator" ? readStatusData(runtime) : refuse(404, "Not found"),
);

/** The data of the status page. The command line sends a ticket in place of a session. */
export async function GET(request: Request, context: { params: Promise<object> }): Promise<Response> {
  const runtime = await getRuntime();
  if (!runtime.operatorTickets.admits(request.headers.get("authorization"))) return GET_FOR_OPERATORS(request, context);
  return Response.json(await readStatusData(runtime), { headers: { "Cache-Control": "no-store" } });
}
