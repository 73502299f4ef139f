import { readdir, readFile, readlink, truncate } from "node:fs/promises";

/** What one process uses. `bench/memory-report.mjs` writes one line of it every few seconds. */
interface MemoryLine {
  readonly process: "server" | "pages";
  readonly pid: number;
  readonly rss: number;
  readonly heapUsed: number;
}

const BYTES_PER_MEGABYTE = 1_048_576;

/**
 * Reads what server and pages have used since the last reading, in columns such as "server heap MB": the smallest heap,
 * which holds the least garbage, the latest RSS, and the descriptors and sockets that are open now. Needs Linux.
 */
export async function readProcesses(memoryFile: string): Promise<Record<string, number>> {
  const text = await readFile(memoryFile, "utf8");
  await truncate(memoryFile);
  // A line may be written while the file is read.
  const lines = text.split("\n").filter((line) => line.endsWith("}"));
  const reports = lines.map((line) => JSON.parse(line) as MemoryLine);
  const columns: Record<string, number> = {};
  for (const name of ["server", "pages"] as const) {
    const own = reports.filter((report) => report.process === name);
    const latest = own.at(-1);
    if (latest === undefined) continue;
    const { files, sockets } = await countDescriptors(latest.pid);
    columns[`${name} heap MB`] = Math.min(...own.map(({ heapUsed }) => heapUsed)) / BYTES_PER_MEGABYTE;
    columns[`${name} RSS MB`] = latest.rss / BYTES_PER_MEGABYTE;
    columns[`${name} descriptors`] = files;
    columns[`${name} sockets`] = sockets;
  }
  return columns;
}

/** Counts the open file descriptors of a process, and those of them that are sockets. */
async function countDescriptors(pid: number): Promise<{ files: number; sockets: number }> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => null)));
  const open = targets.filter((target) => target !== null);
  return { files: open.length, sockets: open.filter((target) => target.startsWith("socket:")).length };
}
