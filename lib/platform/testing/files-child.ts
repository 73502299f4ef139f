import { closeSync, openSync } from "node:fs";
import { createLog } from "../log/log";
import { watchVitals } from "../vitals";

/** Uses up all file descriptors, reads the vitals three times, and once more with free ones. Prints what it read. */

const { log } = createLog("error", { share: 0, paths: new Map() });
const read = watchVitals(log);
const first = read();
const files: number[] = [];
try {
  for (;;) files.push(openSync("/dev/null", "r"));
} catch {
  const without = [read(), read(), read()].map(({ residentBytes }) => residentBytes === first.residentBytes);
  files.forEach(closeSync);
  const after = read().residentBytes > 0;
  log.error({ opened: files.length, without, after }, "done");
}
