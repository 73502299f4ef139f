import { afterAll } from "vitest";
import { dropInstruments, instruments, isBuiltIn } from "@/lib/market/catalog";

/** Files of tests share the modules of a worker: none leaves the instruments that it added to the next one. */
afterAll(() => {
  const added = instruments.filter(({ symbol, addedBy }) => addedBy !== undefined || !isBuiltIn(symbol));
  dropInstruments(added.map(({ symbol }) => symbol));
});
