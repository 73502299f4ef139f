import { startServer } from "@/lib/runtime/server";

/** Starts everything in one process, for a plain `next start`: no server of ours stands before Next. */
export async function startStandalone() {
  return { ...(await startServer()), behindOwnServer: false };
}
