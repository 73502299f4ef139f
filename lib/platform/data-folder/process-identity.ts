import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

/** A process, distinguishable from a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time in the system's format; only compared for equality. */
  started: string;
  /**
   * Process numbers are only unique in their namespace: two containers may share a folder, and both have a process 1.
   */
  namespace: string;
}

/** Windows has neither /proc nor ps. */
const UNKNOWN_START = "unknown";

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  started: readStart(process.pid) ?? UNKNOWN_START,
  namespace: readProcessNamespace(),
});

/**
 * Whether that process still runs; "unknown" if it belongs to another namespace, or if a process has its number and
 * nothing tells whether it is the same one.
 */
export function isRunning(identity: ProcessIdentity): boolean | "unknown" {
  if (identity.namespace !== readProcessNamespace()) return "unknown";
  if (identity.started === UNKNOWN_START) return isInUse(identity.pid) ? "unknown" : false;
  return readStart(identity.pid) === identity.started;
}

/** Whether any process has this number. */
function isInUse(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readStart(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat !== null) {
    // The name in parentheses may contain spaces, so fields are counted after it. State is field 3 of proc(5), start
    // time field 22.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X";
    return isDead ? null : (fields[19] ?? null);
  }
  if (readOrNull("/proc/self/stat") !== null) return null;
  try {
    const started = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
    });
    return started.trim() || null;
  } catch {
    return null;
  }
}

/** Start times are counted from boot, so they are only comparable within the same boot. */
function readProcessNamespace(): string {
  const boot = readOrNull("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  try {
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return boot;
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
