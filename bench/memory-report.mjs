// Loaded into a measured process before its program. Appends the memory use without garbage to a file.
import { appendFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/** Shorter than the time between two samples, so that each has a report. */
const EVERY_MS = 10_000;

const file = process.env.SOAK_FILE;
if (isMainThread && file !== undefined) {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  const report = () => {
    collectGarbage();
    const { rss, heapUsed } = process.memoryUsage();
    const processName = process.env.SPOTLINE_PAGES_SOCKET === undefined ? "server" : "pages";
    const { pid } = process;
    appendFileSync(file, `${JSON.stringify({ process: processName, pid, rss, heapUsed })}\n`);
  };
  setInterval(report, EVERY_MS).unref();
}
