import { readSymbolNow } from "@/features/alerts/data";
import { createDataRoute } from "@/features/session/data-route";

/** The quote of the form's symbol. */
export const GET = createDataRoute(({ runtime, query }) => readSymbolNow(runtime, query.get("symbol") ?? ""));
