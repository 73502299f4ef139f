import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/symbols/resolver";

/** The resolver of the catalog. A process needs only one, since it caches spellings. */
export const catalogResolver = createResolver(instruments);
