import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCluster, killCluster, signal, startCluster, stopCluster } from "../embedded/cluster";
import { DATABASE_FOLDER, type Place, preparePlace } from "../embedded/place";
import { silentLog } from "../log/log";
import { createTemporaryFolder } from "../temporary-folder";
import { findFreePort } from "./free-port";
import { findMemoryFolder } from "./memory-folder";

/** A temporary PostgreSQL for tests, of the programs of the embedded database, at an address of its own. */
export interface TestCluster {
  readonly url: string;
  start(): Promise<void>;
  /** Stops it as a power cut would: nothing is finished or written. */
  stop(): Promise<void>;
  /** Pauses it: it answers nothing, and refuses nothing. */
  pause(): void;
  resume(): void;
  /** Starts one that follows this one, and can only be read. */
  replicate(): Promise<TestCluster>;
  remove(): Promise<void>;
  /** The same where nothing can be waited for, at the end of a process. */
  abandon(): void;
}

/** Tests end with their database, so nothing waits for a disk. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_connections: "400",
  max_wal_size: "1GB",
  max_wal_senders: "4",
  shared_buffers: "128MB",
};

/** The database of a data folder, as a template for others in a copy of the folder. */
export const FILLED_TEMPLATE = "postgres";

/** Creates and starts a cluster in a folder of its own below `parent`, as a copy of that of the data folder `from`. */
export async function createTestCluster(parent = findMemoryFolder() ?? tmpdir(), from?: string): Promise<TestCluster> {
  // Those that an interrupted run left are removed, and their databases end within a minute.
  const folder = createTemporaryFolder("spotline-postgres-", parent);
  chmodSync(folder, 0o711);
  if (from !== undefined) {
    await cp(path.join(from, DATABASE_FOLDER), path.join(folder, DATABASE_FOLDER), { recursive: true });
  }
  const place = await preparePlace(folder, silentLog);
  if (from === undefined) await createCluster(place);
  await writeFile(
    path.join(place.folder, "pg_hba.conf"),
    "host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n",
  );
  return startTestCluster(folder, place);
}

/** Creates a folder that the account of a database can enter, which is not this process's if that is root's. */
export function createOpenFolder(prefix: string): string {
  const folder = mkdtempSync(prefix);
  if (process.getuid?.() === 0) chmodSync(folder, 0o711);
  return folder;
}

async function startTestCluster(folder: string, place: Place): Promise<TestCluster> {
  const port = await findFreePort();
  let pid = 0;
  const cluster: TestCluster = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async start() {
      ({ pid } = await startCluster(place, { log: silentLog, port, settings: SETTINGS }));
    },
    stop: () => killCluster(pid),
    pause: () => signal(pid, "SIGSTOP"),
    resume: () => signal(pid, "SIGCONT"),
    async replicate() {
      const own = createOpenFolder(`${folder}-`);
      const copy = { ...place, folder: path.join(own, path.basename(place.folder)) };
      await stopCluster(place, pid);
      await cp(place.folder, copy.folder, { recursive: true, verbatimSymlinks: true });
      await writeFile(path.join(copy.folder, "standby.signal"), "");
      await writeFile(
        path.join(copy.folder, "postgresql.auto.conf"),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`,
      );
      await cluster.start();
      return startTestCluster(own, await preparePlace(own, silentLog));
    },
    async remove() {
      await killCluster(pid);
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
    abandon() {
      signal(pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
  await cluster.start();
  return cluster;
}
