// Loaded into a measured process before its program. Appends the memory use to a file every second.
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.SOAK_FILE;
if (isMainThread && file !== undefined) {
  const report = () => {
    const { rss, heapUsed } = process.memoryUsage();
    const processName = process.env.SPOTLINE_PAGES_SOCKET === undefined ? "server" : "pages";
    const { pid } = process;
    appendFileSync(file, `${JSON.stringify({ process: processName, pid, rss, heapUsed })}\n`);
  };
  setInterval(report, 1_000).unref();
}
