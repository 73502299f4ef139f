import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFreePort } from "@/lib/platform/testing/free-port";

/** A temporary PostgreSQL cluster for one test. */
export interface TestCluster {
  readonly url: string;
  start(): void;
  /** Stops it as a power cut would: nothing is finished or written. */
  stop(): void;
  remove(): void;
}

const INSTALLED = "/usr/lib/postgresql";

/** Creates and starts a cluster of the newest installed PostgreSQL; null if none is installed. */
export async function createTestCluster(): Promise<TestCluster | null> {
  const version = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  if (version === undefined) return null;
  const bin = path.join(INSTALLED, version, "bin");
  const folder = mkdtempSync(path.join(tmpdir(), "spotline-postgres-"));
  const port = await findFreePort();
  // PostgreSQL refuses to run as root.
  const asRoot = process.getuid?.() === 0;
  if (asRoot)
    chownSync(folder, Number(execFileSync("id", ["-u", "postgres"])), Number(execFileSync("id", ["-g", "postgres"])));
  const run = (program: string, ...args: string[]) => {
    const command = [path.join(bin, program), ...args];
    if (asRoot) command.unshift("runuser", "-u", "postgres", "--");
    execFileSync(command[0] as string, command.slice(1), { stdio: "ignore" });
  };
  const data = path.join(folder, "data");
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const cluster: TestCluster = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: () => run("pg_ctl", "-D", data, "-w", "-l", path.join(folder, "log"), "-o", settings, "start"),
    stop: () => run("pg_ctl", "-D", data, "-m", "immediate", "stop"),
    remove() {
      cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  run("initdb", "-D", data, "-U", "postgres", "-A", "trust");
  cluster.start();
  return cluster;
}
