import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Installs the load generator if it is missing. */
export async function requireWrk(): Promise<void> {
  try {
    await run("which", ["wrk"]);
  } catch {
    if (process.getuid?.() !== 0) throw new Error("The benchmark needs wrk: apt-get install wrk");
    await run("apt-get", ["install", "-y", "-qq", "wrk"]);
  }
}

/** Sends one request repeatedly from a core, by default the second one. Throws if any response is an error. */
export async function load(
  url: string,
  request: LoadRequest,
  seconds: number,
  connections: number,
  core = 1,
): Promise<LoadResult> {
  const script = join(await mkdtemp(join(tmpdir(), "spotline-wrk-")), "request.lua");
  const quote = (text: string) => JSON.stringify(text);
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`,
  );
  const lines = [`wrk.method = ${quote(request.method)}`, ...headers];
  if (request.body !== undefined) lines.push(`wrk.body = [==[${request.body}]==]`);
  await writeFile(script, lines.join("\n"));
  const args = [
    "-c",
    String(core),
    "wrk",
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--latency",
    "-s",
    script,
    url + request.path,
  ];
  const { stdout } = await run("taskset", args);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`There were errors at ${request.path}:\n${stdout}`);
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: toMilliseconds(/ 50%\s+(\S+)/.exec(stdout)?.[1]),
    p99Ms: toMilliseconds(/ 99%\s+(\S+)/.exec(stdout)?.[1]),
  };
}

function toMilliseconds(text = ""): number {
  const [, value, unit] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit as "us" | "ms" | "s"];
}
