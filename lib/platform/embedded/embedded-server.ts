import { existsSync } from "node:fs";
import { chmod, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { removeLocalSocket } from "../local-socket";
import type { Logger } from "../log/log";

/**
 * Starts, watches and stops the thread that runs the embedded PostgreSQL. The caller must hold the data folder's lock:
 * PGlite has none, and two instances on one folder lose rows silently.
 */

export interface EmbeddedServer {
  /** Writes all data to disk and ends the thread. Resolves when the folder is no longer in use. */
  stop(): Promise<void>;
}

/** The files exist, but PGlite does not start on them. */
class EmbeddedDatabaseUnusable extends Error {
  readonly code = "EMBEDDED_DATABASE_UNUSABLE";
  constructor(folder: string, cause: Error) {
    super(
      `The embedded database in ${folder} cannot be opened (${cause.message}). If its files are damaged, restore a backup into an empty data folder: npm run -s spotline -- restore FILE`,
      { cause },
    );
    this.name = "EmbeddedDatabaseUnusable";
  }
}

const RESTART_DELAY_MS = 1_000;
/** PGlite cannot cancel a statement, so one of another program that takes longer than this restarts the thread. */
const STATEMENT_LIMIT_MS = 10_000;
const WATCH_MS = 100;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Serves the PostgreSQL in `folder` at the local socket `socketPath`, and creates it on the first start (3–10 s). A
 * thread that ends unexpectedly is restarted; connections are refused meanwhile.
 */
export async function startEmbeddedServer(
  folder: string,
  socketPath: string,
  log: Logger,
  statementLimitMs = STATEMENT_LIMIT_MS,
): Promise<EmbeddedServer> {
  if (!existsSync(folder)) {
    log.info({ folder }, "creating the embedded database, which takes a few seconds");
    await createEmbeddedFolder(folder);
  }
  let stopping = false;
  const foreignSince = new BigInt64Array(new SharedArrayBuffer(8));
  let worker = await startWorker(folder, socketPath, foreignSince).catch((error: Error) => {
    throw new EmbeddedDatabaseUnusable(folder, error);
  });
  let restarting: Promise<void> | null = null;

  const watch = (watched: Worker) => {
    watched.on("error", (error) => log.error({ err: error }, "the embedded database failed"));
    watched.on("message", (message: WorkerMessage) => {
      if (message.type === "failed") log.error({ reason: message.message }, "the embedded database failed");
    });
    watched.once("exit", (exitCode) => {
      if (stopping) return;
      log.error({ exitCode }, "the embedded database ended unexpectedly; it is restarted");
      restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    while (!stopping) {
      await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
      try {
        worker = await startWorker(folder, socketPath, foreignSince);
        watch(worker);
        log.info("the embedded database has restarted");
        return;
      } catch (error) {
        log.error({ err: error }, "restarting the embedded database failed");
      }
    }
  };
  watch(worker);
  const watching = setInterval(() => {
    const since = Atomics.load(foreignSince, 0);
    if (since === 0n || process.hrtime.bigint() - since < BigInt(statementLimitMs) * 1_000_000n) return;
    Atomics.store(foreignSince, 0, 0n);
    log.error({ limitMs: statementLimitMs }, "a statement of another program took too long");
    void worker.terminate();
  }, WATCH_MS).unref();

  return {
    async stop() {
      stopping = true;
      clearInterval(watching);
      await restarting;
      await stopWorker(worker);
    },
  };
}

/** Creates an empty embedded database in one step: an interrupted start leaves no incomplete folder. */
async function createEmbeddedFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
  // In a separate thread that ends afterwards, because creating takes far more memory than serving.
  const worker = await startWorker(unfinished, null, null);
  await waitForEnd(worker);
  await chmod(unfinished, 0o700);
  await rename(unfinished, folder);
}

type WorkerMessage = { type: "ready" | "closed" } | { type: "failed"; message: string };

async function startWorker(
  folder: string,
  socketPath: string | null,
  foreignSince: BigInt64Array | null,
): Promise<Worker> {
  if (foreignSince !== null) Atomics.store(foreignSince, 0, 0n);
  if (socketPath !== null) await removeLocalSocket(socketPath);
  return new Promise((resolve, reject) => {
    const script = path.join(process.cwd(), "lib", "platform", "embedded", "worker.mjs");
    // Without the parent's flags, because the thread needs no loaders for TypeScript.
    const worker = new Worker(/* turbopackIgnore: true */ script, {
      workerData: { folder, socketPath, foreignSince },
      execArgv: [],
    });
    const onReady = () => settle(() => resolve(worker));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = (exitCode: number) =>
      settle(() => reject(new Error(`The embedded database ended with code ${exitCode} at start.`)));
    const settle = (outcome: () => void) => {
      worker.off("message", onReady).off("error", onError).off("exit", onExit);
      outcome();
    };
    worker.once("message", onReady).once("error", onError).once("exit", onExit);
  });
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const timer = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
  worker.postMessage("stop");
  await waitForEnd(worker);
  clearTimeout(timer);
}

function waitForEnd(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return Promise.resolve();
  return new Promise((resolve) => worker.once("exit", () => resolve()));
}
