import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { bundle } from "./bundle";
import { SHORT_RUN_FLAGS } from "./node-flags";

/** Starts `child.ts` as a separate process. */
export async function startChild(what: "insert" | "open" | "join", dataDir: string): Promise<ChildProcess> {
  const { file } = await bundle("lib/platform/testing/child.ts");
  return spawn(process.execPath, [...SHORT_RUN_FLAGS, file, what, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
}

/** The lines that a child prints until it ends, or until it is killed after `killAfter` lines. */
export async function readLines(child: ChildProcess, killAfter = Infinity): Promise<string[]> {
  const lines: string[] = [];
  const ended = once(child, "exit");
  if (child.stdout !== null) {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (lines.length === killAfter) child.kill("SIGKILL");
    }
  }
  await ended;
  return lines;
}
