import { instruments, onInstruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";

/** The resolver of the catalog, shared in each process because it caches spellings. */
export const catalogResolver = createResolver(instruments);

onInstruments((changed) => catalogResolver.follow(changed));
