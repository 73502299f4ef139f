// Loaded into a measured process before its program. Appends the memory use to a file every few seconds.
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.SOAK_FILE;
if (isMainThread && file !== undefined) {
  const report = () => {
    const { rss, heapUsed, external } = process.memoryUsage();
    const processName = process.env.SPOTLINE_PAGES_SOCKET === undefined ? "server" : "pages";
    appendFileSync(file, `${JSON.stringify({ process: processName, atMs: Date.now(), rss, heapUsed, external })}\n`);
  };
  setInterval(report, 5_000).unref();
}
