import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { setPriority } from "node:os";
import { join } from "node:path";
import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { mintSecret } from "@/lib/access/keys/key-format";
import { MINUTE_MS } from "@/lib/time/units";

/** A caller with a key, beside a flood of requests without one. */

const PAUSE_MS = 4;

/** A caller that asks for a quote again and again over one connection. */
export async function createKeyedCaller(spotline: Spotline) {
  const { secret } = await withAccess(spotline.place, async ({ accounts, keys }) => {
    const input = { email: `${randomUUID()}@example.com`, password: "correct horse battery" };
    const { id: accountId } = await accounts.create({ ...input, plan: "enterprise" });
    return keys.create({ accountId, label: "caller", scopes: ["all"] });
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { agent, headers: { "X-API-Key": secret } };
      request(`${spotline.url}/v1/quote?symbol=EURUSD`, options, (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode));
      })
        .once("error", reject)
        .end();
    });

  return {
    call,
    /**
     * Calls for some time. Resolves with the milliseconds that the server computed from each request to its answer. A
     * clock would measure what else the machine does.
     */
    async measure(durationMs: number): Promise<number[]> {
      const times: number[] = [];
      for (const end = performance.now() + durationMs; performance.now() < end;) {
        const before = await readMainThreadMs(spotline.pid);
        const status = await call();
        if (status !== 200) throw new Error(`A keyed call was answered with ${status}`);
        times.push((await readMainThreadMs(spotline.pid)) - before);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      return times;
    },
    close: () => agent.destroy(),
  };
}

/** The processor time of a process's main thread, in ms. The system counts it in nanoseconds. */
async function readMainThreadMs(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, "utf8")).split(" ");
  return Number(nanoseconds) / 1e6;
}

/** Floods a server while `work` runs: from one process, of the lowest priority. Resolves once it has ended. */
export async function whileFlooded<Result>(spotline: Spotline, work: () => Promise<Result>): Promise<Result> {
  const keys = Array.from({ length: 20 }, mintSecret);
  const script = join(import.meta.dirname, "flood.mjs");
  const flood: ChildProcess = spawn(process.execPath, [script, new URL(spotline.url).port, ...keys], {
    stdio: ["ignore", "pipe", "inherit"],
    // It also ends after a test that is given up.
    timeout: 3 * MINUTE_MS,
    killSignal: "SIGKILL",
  });
  const ended = once(flood, "exit");
  try {
    // It writes a character for each block of requests that is answered.
    if (flood.stdout !== null) await Promise.race([once(flood.stdout, "data"), ended]);
    expectRunning(flood);
    if (flood.pid !== undefined) setPriority(flood.pid, 19);
    const result = await work();
    expectRunning(flood);
    return result;
  } finally {
    flood.kill("SIGKILL");
    await ended;
  }
}

function expectRunning({ exitCode, signalCode }: ChildProcess): void {
  if (exitCode !== null || signalCode !== null) {
    throw new Error(`The flood ended before the work: ${exitCode ?? signalCode}`);
  }
}

/** The value that a share of the values does not exceed: 0.5 is the median. */
export function computeQuantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] as number;
}
