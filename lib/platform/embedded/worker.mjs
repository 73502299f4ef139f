// The embedded PostgreSQL: PGlite behind a local socket, in its own thread so that a long query cannot block the event
// loop that answers requests. Plain JavaScript, because it is loaded by its path under the project root and is not part
// of any bundle.
import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

/** @type {{ folder: string, socketPath: string | null }} A null socket: only create the folder, then end. */
const { folder, socketPath } = workerData;

const isWindows = process.platform === "win32";
const SYNC_MESSAGE = new Uint8Array([0x53, 0, 0, 0, 4]);

/**
 * PGlite's file system ignores fsync, and PGlite starts PostgreSQL with fsync off. That survives a killed process but
 * not a power cut, so both are changed: a commit is acknowledged once it is on disk.
 */
function makeDurable(pglite) {
  pglite.Module.FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
    if (stream.nfd !== undefined) fsyncSync(stream.nfd);
    return 0;
  };
}

/** Ends this thread. It is then restarted and recovers from the write-ahead log. */
function endThread(error) {
  parentPort.postMessage({ type: "failed", message: String(error) });
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

/**
 * All connections share PGlite's one session, message by message. The socket server excludes other connections'
 * messages during an open transaction, but not during the parse–bind–execute–sync of a statement too long for one
 * packet, whose unnamed statement they would replace. Reporting "in a transaction" until the sync prevents that.
 */
function isolateStatements(pglite) {
  let betweenMessages = false;
  const send = (message, onRawData) => pglite.execProtocolRawStream(message, { onRawData });
  return {
    waitReady: pglite.waitReady,
    isInTransaction: () => betweenMessages || pglite.isInTransaction(),
    runExclusive: (run) => pglite.runExclusive(run),
    // Called when a connection is lost in the middle of a statement.
    exec: async (sql) => {
      if (betweenMessages) await pglite.runExclusive(() => send(SYNC_MESSAGE, () => {}));
      betweenMessages = false;
      if (pglite.isInTransaction()) await pglite.exec(sql);
    },
    execProtocolRawStream: async (message, { onRawData }) => {
      try {
        await send(message, onRawData);
      } catch (error) {
        // An unknown greeting: only that client waits, without effect on others.
        if (message[0] === 0) return;
        // After any other error the socket server would never serve another query, so the thread restarts.
        endThread(error);
      }
      betweenMessages = "PBDECH".includes(String.fromCharCode(message[0]));
    },
  };
}

/** Syncs a new folder's files, so that they survive a power cut. */
function syncTree(root) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    // Windows cannot sync a folder, and syncs a file only if it is open for writing.
    if (isWindows && entry.isDirectory()) continue;
    const file = openSync(path.join(entry.parentPath, entry.name), isWindows ? "r+" : "r");
    fsyncSync(file);
    closeSync(file);
  }
}

const pglite = await PGlite.create(folder, {
  relaxedDurability: false,
  // Without -F, which turns fsync off. PGlite's fdatasync, the default for the write-ahead log, does nothing either.
  startParams: [...PGlite.defaultStartParams.filter((it) => it !== "-F"), "-c", "wal_sync_method=fsync"],
});

if (socketPath === null) {
  await pglite.close();
  syncTree(folder);
  parentPort.postMessage({ type: "ready" });
  process.exit(0);
} else {
  makeDurable(pglite);
  endOnPanic(pglite);
  // Enough connections for the server's pool and those of a few commands.
  const server = new PGLiteSocketServer({ db: isolateStatements(pglite), path: socketPath, maxConnections: 64 });
  await server.start();
  parentPort.once("message", async () => {
    await server.stop();
    await pglite.close();
    parentPort.postMessage({ type: "closed" });
    process.exit(0);
  });
  parentPort.postMessage({ type: "ready" });
}
