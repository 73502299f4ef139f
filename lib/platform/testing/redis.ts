import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { findFreePort } from "@/lib/platform/testing/free-port";

/** A temporary Redis without persistence, which can be frozen, killed and restarted empty. */
export interface TestRedis {
  readonly url: string;
  /** Delays every answer, as a busy Redis does. */
  freeze(): void;
  thaw(): void;
  /** Kills it. All its data is lost. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
  /** Runs one command whose words contain no spaces or line breaks. */
  command(...words: string[]): string;
  remove(): Promise<void>;
}

/** Redis does not start under libfaketime, with which `npm run test:dates` shifts the clock. */
const ENV = { ...process.env, LD_PRELOAD: "" };

const isInstalled = spawnSync("redis-server", ["--version"], { env: ENV }).status === 0;
if (!isInstalled) {
  process.stderr.write("\nNO REDIS: redis-server is not installed, so the tests of shared limits are SKIPPED.\n");
}

/** Whether tests that need Redis can run here: `describe.runIf(canRunRedis)`. */
export const canRunRedis = isInstalled;

export async function startTestRedis(): Promise<TestRedis> {
  const port = await findFreePort();
  let child = await start(port);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    kill,
    async restart() {
      await kill();
      child = await start(port);
    },
    command(...words) {
      const { status, stdout, stderr } = spawnSync("redis-cli", ["-p", String(port), ...words], {
        encoding: "utf8",
        env: ENV,
      });
      if (status !== 0) throw new Error(`redis-cli: ${stderr}`);
      return stdout.trim();
    },
    remove: kill,
  };
}

async function start(port: number): Promise<ChildProcess> {
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", settings, { stdio: "ignore", env: ENV });
  for (const deadline = Date.now() + 10_000; Date.now() < deadline;) {
    if (await listens(port)) return child;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGKILL");
  throw new Error("redis-server does not listen");
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
