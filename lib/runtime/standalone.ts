import { startServer } from "@/lib/runtime/server";

/** Starts everything in one process, for a plain `next start` without server.ts. */
export async function startStandalone() {
  return { ...(await startServer()), behindOwnServer: false };
}
