import { existsSync } from "node:fs";
import { createServer } from "node:net";
import type pg from "pg";
import { describeError } from "../../text/describe-error";
import type { Logger } from "../log/log";
import {
  createCluster,
  explainLoss,
  isAlive,
  readSettings,
  signal,
  startCluster,
  stopCluster,
  usesSocket,
} from "./cluster";
import { findDatabaseFolder, preparePlace } from "./place";

/** Starts, watches and stops the embedded PostgreSQL of a data folder. The caller must hold the folder's lock. */

export interface EmbeddedServer {
  /** How this process connects to it. */
  readonly settings: pg.PoolConfig;
  /** An error of a connection, with what to do where the database has lost a file. */
  explain(error: unknown): unknown;
  /** Writes all data to disk and ends it. */
  stop(): Promise<void>;
}

const WATCH_MS = 250;
const [RESTART_DELAY_MS, LONGEST_DELAY_MS] = [250, 3_000];

/**
 * Serves the database of a data folder, and creates it on the first start. A database that ends unexpectedly is started
 * again; connections are refused meanwhile.
 */
export async function startEmbeddedServer(dataDir: string, log: Logger): Promise<EmbeddedServer> {
  const place = await preparePlace(dataDir, log);
  if (!existsSync(place.folder)) {
    log.info({ folder: place.folder }, "creating the embedded database");
    await createCluster(place);
  }
  const port = usesSocket(place.folder) ? null : await findFreePort();
  const started = await startCluster(place, { log, port });
  const { settings } = started;
  let { pid } = started;
  let stopping = false;
  let restarting: Promise<void> | null = null;

  const restart = async (): Promise<void> => {
    let reason = "";
    for (let delayMs = RESTART_DELAY_MS; !stopping; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      try {
        ({ pid } = await startCluster(place, { log, port: port === null ? null : (settings.port ?? port) }));
        log.info("the embedded database has restarted");
        return;
      } catch (error) {
        const message = describeError(error);
        if (message !== reason)
          log.error({ reason: message }, "restarting the embedded database failed; it is tried again");
        reason = message;
      }
    }
  };
  const watching = setInterval(() => {
    if (stopping || restarting !== null || isAlive(pid)) return;
    log.error("the embedded database ended unexpectedly; it is restarted");
    restarting = restart().finally(() => (restarting = null));
  }, WATCH_MS).unref();
  // A process that fails leaves no database behind. One that is killed does, and the next start uses it further.
  const onExit = () => signal(pid, "SIGINT");
  process.once("exit", onExit);

  return {
    settings,
    explain: (error) => explainLoss(place.folder, error),
    async stop() {
      stopping = true;
      clearInterval(watching);
      process.off("exit", onExit);
      await restarting;
      await stopCluster(place, pid);
    },
  };
}

/** How another process connects to the database of a data folder. Rejects if none runs. */
export async function readEmbeddedSettings(dataDir: string): Promise<pg.PoolConfig> {
  return readSettings(await findDatabaseFolder(dataDir));
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
