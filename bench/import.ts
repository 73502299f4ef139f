import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { createCase } from "@/bench/import-rows";
import { formatBytes, formatCount } from "@/lib/text/text";

/**
 * Measures the ticks a second that `spotline import` stores in a new embedded database, and its memory. The files are
 * generated: a busy pair with five ticks a second, and bars of one minute. Build before: it runs dist/spotline.mjs.
 * `npm run bench:import [millions of ticks]`
 */

const TARGET = 300_000;
const MAX_MEMORY = 1e9;
const MILLIONS = Number(process.argv[2] ?? 5);

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "spotline-import-"));
  try {
    const ticks = await write(join(dir, "EURUSD.csv"), createCase("ticks", MILLIONS * 1e6));
    const bars = await write(join(dir, "DAT_ASCII_GBPUSD_M1_2020.csv"), createCase("bars", 500_000));
    // The first command creates the database.
    await run(dir, ["account", "list"]);
    await measure(dir, ticks, `ticks (target ${formatCount(TARGET)} a second, ${formatBytes(MAX_MEMORY)})`);
    await measure(dir, bars, "M1 bars");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function write(path: string, lines: Iterable<string>): Promise<string> {
  const file = createWriteStream(path);
  for (const line of lines) if (!file.write(line)) await once(file, "drain");
  file.end();
  await finished(file);
  return path;
}

async function measure(dir: string, path: string, what: string): Promise<void> {
  const { seconds, memory, output } = await run(dir, ["import", path, "--json"]);
  const { rows, added } = JSON.parse(output) as { rows: number; added: number };
  console.log(
    `${formatCount(rows)} ${what}: ${formatCount(Math.round(rows / seconds))} a second with start and end, ` +
      `${formatBytes(memory)} at most, ${formatBytes((await stat(path)).size)} of text, ${formatCount(added)} stored`,
  );
}

async function run(dir: string, words: string[]) {
  const env = { ...process.env, SPOTLINE_DATA_DIR: join(dir, "data"), NODE_ENV: "production" as const };
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, ["dist/spotline.mjs", ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  let [output, memory] = ["", 0];
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  const watch = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, "utf8").then(
      (status) => (memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024)),
      () => {},
    );
  }, 100);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`the command ended with code ${String(code)}: ${output}`);
  return { seconds: (performance.now() - startedAtMs) / 1_000, memory, output };
}

await main();
