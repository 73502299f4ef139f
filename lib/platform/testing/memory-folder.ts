import { readFileSync, statfsSync } from "node:fs";
import { freemem } from "node:os";

const GIBIBYTE = 1_024 ** 3;
const FOLDER = "/dev/shm";
/** The files of a whole run of the tests take one gibibyte. */
const NEEDED_BYTES = 4 * GIBIBYTE;
/** For those files and the processes of a whole run. */
const NEEDED_MEMORY_BYTES = 8 * GIBIBYTE;

/**
 * Returns the folder whose files are in memory; null where the system has none that programs can be started from, or too
 * little memory. Tests create and delete many small files, and ext4 takes long to create one then: it searches past those
 * that were deleted within the last minutes.
 */
export function findMemoryFolder(): string | null {
  if (process.platform !== "linux" || freemem() < NEEDED_MEMORY_BYTES) return null;
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .find(([, folder, type]) => folder === FOLDER && type === "tmpfs");
  if (mount === undefined || mount[3]?.split(",").includes("noexec")) return null;
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize < NEEDED_BYTES ? null : FOLDER;
}
