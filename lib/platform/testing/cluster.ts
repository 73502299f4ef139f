import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFreePort } from "@/lib/platform/testing/free-port";
import { findMemoryFolder } from "@/lib/platform/testing/memory-folder";

/** A temporary PostgreSQL cluster for one test. */
export interface TestCluster {
  readonly url: string;
  start(): void;
  /** Stops it as a power cut would: nothing is finished or written. */
  stop(): void;
  /** Starts a cluster that follows this one, and can only be read. */
  replicate(): Promise<TestCluster>;
  remove(): void;
}

const INSTALLED = "/usr/lib/postgresql";
export const isPostgresInstalled = existsSync(INSTALLED);

/** PostgreSQL refuses to run as root, and its user cannot enter the folder that a run of the tests has for itself. */
const isRoot = process.getuid?.() === 0;
export const CLUSTERS_FOLDER = isRoot ? (findMemoryFolder() ?? "/tmp") : tmpdir();

/**
 * Creates and starts a cluster of the newest installed PostgreSQL, in a folder of its own below `parent`; null if none
 * is installed.
 */
export async function createTestCluster(parent = CLUSTERS_FOLDER): Promise<TestCluster | null> {
  const version = isPostgresInstalled ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  if (version === undefined) return null;
  return startCluster(parent, path.join(INSTALLED, version, "bin"), ["initdb", "-U", "postgres", "-A", "trust"]);
}

/** The command fills the folder of the data; its option for the folder is added. */
async function startCluster(
  parent: string,
  bin: string,
  [program = "", ...args]: readonly string[],
): Promise<TestCluster> {
  const folder = mkdtempSync(path.join(parent, "spotline-postgres-"));
  const port = await findFreePort();
  if (isRoot)
    chownSync(folder, Number(execFileSync("id", ["-u", "postgres"])), Number(execFileSync("id", ["-g", "postgres"])));
  const run = (name: string, ...words: string[]) => {
    const command = [path.join(bin, name), ...words];
    if (isRoot) command.unshift("runuser", "-u", "postgres", "--");
    execFileSync(command[0] as string, command.slice(1), { stdio: "ignore" });
  };
  const data = path.join(folder, "data");
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const cluster: TestCluster = {
    url,
    start: () => run("pg_ctl", "-D", data, "-w", "-l", path.join(folder, "log"), "-o", settings, "start"),
    stop: () => run("pg_ctl", "-D", data, "-m", "immediate", "stop"),
    replicate: () => startCluster(parent, bin, ["pg_basebackup", "-d", url, "-R", "-c", "fast"]),
    remove() {
      cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  run(program, "-D", data, ...args);
  cluster.start();
  return cluster;
}
