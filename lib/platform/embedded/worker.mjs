// The embedded PostgreSQL: PGlite behind a local socket, in a thread of its own so that a long query cannot stall the
// event loop that answers requests. Plain JavaScript, because it is loaded by its path under the project root
// whatever bundled the code that starts it.
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
 * not a power cut, so both are put right: a commit is acknowledged once the disk has it.
 */
function makeDurable(pglite) {
  pglite.Module.FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
    if (stream.nfd !== undefined) fsyncSync(stream.nfd);
    return 0;
  };
}

/** Ends this thread, which is then started again and recovers from the write-ahead log. */
function giveUp(error) {
  parentPort.postMessage({ type: "failed", message: String(error) });
  process.exit(1);
}

/**
 * Where PostgreSQL panics, as when the disk is full, it would end and be started again. PGlite swallows what is thrown
 * then and calls the dead program for ever: end for it. An ordinary error is thrown with a status of its own.
 */
function endOnPanic(pglite) {
  const runOnce = pglite.Module._PostgresMainLoopOnce;
  pglite.Module._PostgresMainLoopOnce = () => {
    try {
      return runOnce();
    } catch (error) {
      if (error?.status !== pglite.POSTGRES_MAIN_LONGJMP) giveUp(error);
      throw error;
    }
  };
}

/**
 * All connections share PGlite's one session, message by message. The socket server keeps another connection's messages
 * out of an open transaction, but not out of the parse–bind–execute–sync of a statement too long for one packet, whose
 * unnamed statement they would replace. Saying "in a transaction" until the sync closes that gap.
 */
function oneStatementAtATime(pglite) {
  let betweenMessages = false;
  const send = (message, onRawData) => pglite.execProtocolRawStream(message, { onRawData });
  return {
    waitReady: pglite.waitReady,
    isInTransaction: () => betweenMessages || pglite.isInTransaction(),
    runExclusive: (run) => pglite.runExclusive(run),
    // Called when a connection goes away in the middle of something.
    exec: async (sql) => {
      if (betweenMessages) await pglite.runExclusive(() => send(SYNC_MESSAGE, () => {}));
      betweenMessages = false;
      if (pglite.isInTransaction()) await pglite.exec(sql);
    },
    execProtocolRawStream: async (message, { onRawData }) => {
      try {
        await send(message, onRawData);
      } catch (error) {
        // A greeting that is not understood: that client waits in vain, and nobody else needs to.
        if (message[0] === 0) return;
        // The socket server would never serve another query after any other error here: start afresh instead.
        giveUp(error);
      }
      betweenMessages = "PBDECH".includes(String.fromCharCode(message[0]));
    },
  };
}

/** Makes a new folder's files survive a power cut before anyone relies on them. */
function syncTree(root) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    // Windows cannot sync a folder, and syncs a file only when it is open for writing.
    if (isWindows && entry.isDirectory()) continue;
    const file = openSync(path.join(entry.parentPath, entry.name), isWindows ? "r+" : "r");
    fsyncSync(file);
    closeSync(file);
  }
}

const pglite = await PGlite.create(folder, {
  relaxedDurability: false,
  // Without -F, which turns fsync off. Its fdatasync, the default for the write-ahead log, does nothing either.
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
  // Room for the server's pool, and for the pools of a few commands beside it.
  const server = new PGLiteSocketServer({ db: oneStatementAtATime(pglite), path: socketPath, maxConnections: 64 });
  await server.start();
  parentPort.once("message", async () => {
    await server.stop();
    await pglite.close();
    parentPort.postMessage({ type: "closed" });
    process.exit(0);
  });
  parentPort.postMessage({ type: "ready" });
}
