// The embedded PostgreSQL: PGlite behind a local socket, in its own thread so that a long query cannot block the event
// loop that answers requests. Plain JavaScript, because it is loaded by its path under the project root and is not part
// of any bundle.
import { fsyncSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { startCheckpoints, walSettings } from "./checkpoints.mjs";
import { serveSessions } from "./serve-sessions.mjs";
import { isWindows, syncTree } from "./sync-tree.mjs";

/**
 * A null socket: only create the folder, then end. `foreignSince` is shared with the parent: the start of another
 * program's statement, by the process's monotonic clock; 0 if none is running.
 * @type {{ folder: string, socketPath: string | null, foreignSince: BigInt64Array }}
 */
const { folder, socketPath, foreignSince } = workerData;

/** How long another program may keep a transaction open, during which nobody else is served. */
const TRANSACTION_LIMIT_MS = 5_000;
/** The same without a message, while the server waits. */
const IDLE_LIMIT_MS = 1_000;

/**
 * PGlite's file system ignores fsync, and PGlite starts PostgreSQL with fsync off. That survives a killed process but
 * not a power cut, so both are changed: a commit is acknowledged once it is on disk.
 */
function makeDurable(pglite) {
  const { FS } = pglite.Module;
  FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
    const cannotSync = isWindows && FS.isDir(stream.node.mode);
    if (stream.nfd !== undefined && !cannotSync) fsyncSync(stream.nfd);
    return 0;
  };
}

function reportFailure(error) {
  parentPort.postMessage({ type: "failed", message: String(error) });
}

/** Ends this thread. It is then restarted and recovers from the write-ahead log. */
function endThread(error) {
  reportFailure(error);
  process.exit(1);
}

/**
 * When PostgreSQL panics, for example on a full disk, it is meant to end and be restarted. PGlite catches the exception
 * and calls the ended program forever, so this ends the thread. An ordinary error is thrown with its own status.
 */
function endOnPanic(pglite) {
  const runOnce = pglite.Module._PostgresMainLoopOnce;
  pglite.Module._PostgresMainLoopOnce = () => {
    try {
      return runOnce();
    } catch (error) {
      if (error?.status !== pglite.POSTGRES_MAIN_LONGJMP) endThread(error);
      throw error;
    }
  };
}

const pglite = await PGlite.create(folder, {
  relaxedDurability: false,
  // Without a limit it holds the files of all tables open, and none is left for connections. Without -F, which turns fsync off. PGlite's fdatasync, the default for the write-ahead log, does nothing either. The system caches the files too: half of the usual buffers is enough and saves 64 MB.
  startParams: [
    ...PGlite.defaultStartParams.filter((it) => it !== "-F"),
    "-c",
    "wal_sync_method=fsync",
    "-c",
    "max_files_per_process=64",
    "-c",
    "shared_buffers=64MB",
    ...walSettings,
  ],
});

if (socketPath === null) {
  await pglite.close();
  syncTree(folder);
  parentPort.postMessage({ type: "ready" });
  process.exit(0);
} else {
  makeDurable(pglite);
  endOnPanic(pglite);
  const onForeign = (isRunning) => Atomics.store(foreignSince, 0, isRunning ? process.hrtime.bigint() : 0n);
  const limits = { transactionLimitMs: TRANSACTION_LIMIT_MS, idleLimitMs: IDLE_LIMIT_MS };
  const options = { ...limits, onBroken: endThread, onForeign };
  const server = await serveSessions(pglite, socketPath, options);
  const checkpoints = startCheckpoints(server.queue, reportFailure);
  parentPort.once("message", async () => {
    checkpoints.stop();
    await server.stop();
    await pglite.close();
    parentPort.postMessage({ type: "closed" });
    process.exit(0);
  });
  parentPort.postMessage({ type: "ready" });
}
