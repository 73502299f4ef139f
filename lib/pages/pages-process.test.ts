import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { PagesProcess } from "@/lib/pages/pages-process";
import { silentLog } from "@/lib/platform/log/log";

const folder = mkdtempSync(join(tmpdir(), "spotline-test-"));
const entry = join(folder, "pages.mjs");
const pidFile = join(folder, "pid");
/** Starts and reports as the pages do, and writes its process id. */
const SCRIPT = `
  import { writeFileSync } from "node:fs";
  writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
  process.on("message", (message) => message.type === "stop" && process.exit(0));
  process.send({ type: "send-snapshot" });
  process.send({ type: "listening" });
  setInterval(() => process.send({ type: "alive" }), 10);
`;

afterEach(() => rmSync(folder, { recursive: true }));

test("A pages process that hangs is ended and started again", async () => {
  writeFileSync(entry, SCRIPT);
  const pages = new PagesProcess({
    entry,
    writer: {
      publisher: { add: async () => {}, remove: () => {} },
      answer: async () => null,
      onRelease: () => {},
      onReturn: () => {},
      onStreamClose: () => {},
      onReaderEnd: () => {},
    },
    onSnapshot: () => {},
    onListening: () => {},
    log: silentLog,
    aliveEveryMs: 20,
  });
  await pages.listening();
  await vi.waitFor(() => expect(pages.isAnswering).toBe(true));
  const pid = readFileSync(pidFile, "utf8");
  process.kill(Number(pid), "SIGSTOP");
  await vi.waitFor(() => expect(pages.isAnswering).toBe(false), { interval: 5 });
  await vi.waitFor(() => expect(readFileSync(pidFile, "utf8")).not.toBe(pid), { timeout: 10_000 });
  expect(() => process.kill(Number(pid), 0)).toThrow();
  await vi.waitFor(() => expect(pages.isAnswering).toBe(true), { timeout: 10_000 });
  await pages.stop();
});
