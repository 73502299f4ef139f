import { createViewRoute } from "@/features/session/data-route";
import { findSymbols } from "@/features/symbols/find-symbols";

/** Symbols for what a visitor types: `?q=eur/usd`. */
export const GET = createViewRoute(({ runtime, query }) => findSymbols(runtime, query.get("q") ?? ""));
