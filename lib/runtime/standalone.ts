import { startServer } from "@/lib/runtime/server";
import { shareRuntime } from "@/lib/runtime/share-runtime";

/** Starts everything in Next's own process, which loads the built file of this under a plain `next start`. */
export const runtime = startServer().then((server) =>
  shareRuntime({ ...server, behindOwnServer: false, answersCalls: true }),
);
