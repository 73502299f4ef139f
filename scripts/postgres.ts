import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/e2e/support/spotline";

const INSTALLED = "/usr/lib/postgresql";

/**
 * Makes sure the tests find a PostgreSQL: the one that already answers, else a throw-away cluster of the installed
 * one. Says loudly when there is neither. Resolves with how to stop what it started.
 */
export async function startPostgres(): Promise<() => Promise<void>> {
  const nothingToStop = async () => {};
  if (process.env.SPOTLINE_TEST_DATABASE_URL !== undefined || (await answers(5432))) return nothingToStop;
  const version = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  if (version === undefined) {
    console.warn(
      "SKIPPED: PostgreSQL is neither running nor installed; everything is tested on the embedded database only",
    );
    return nothingToStop;
  }
  const bin = join(INSTALLED, version, "bin");
  const folder = mkdtempSync(join(tmpdir(), "spotline-postgres-"));
  const port = await freePort();
  // PostgreSQL refuses to run as root.
  const asRoot = process.getuid?.() === 0;
  if (asRoot)
    chownSync(folder, Number(execFileSync("id", ["-u", "postgres"])), Number(execFileSync("id", ["-g", "postgres"])));
  const run = (program: string, ...args: string[]) => {
    const command = [join(bin, program), ...args];
    if (asRoot) command.unshift("runuser", "-u", "postgres", "--");
    execFileSync(command[0] as string, command.slice(1), { stdio: "ignore" });
  };
  const data = join(folder, "data");
  run("initdb", "-D", data, "-U", "postgres", "-A", "trust");
  run(
    "pg_ctl",
    "-D",
    data,
    "-w",
    "-l",
    join(folder, "log"),
    "-o",
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`,
    "start",
  );
  process.env.SPOTLINE_TEST_DATABASE_URL = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return async () => {
    run("pg_ctl", "-D", data, "-m", "immediate", "stop");
    rmSync(folder, { recursive: true, force: true });
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
