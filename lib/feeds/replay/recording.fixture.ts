import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { onTestFinished } from "vitest";

/**
 * Writes a small recording for one test, in a folder that is removed when the test ends: path without extension → csv,
 * or raw bytes for a file that is not an archive.
 */
export function writeRecording(files: Readonly<Record<string, string | Uint8Array>>): string {
  const zipped = Object.entries(files).map(([name, content]) => [
    `${name}_quote.zip`,
    typeof content === "string" ? zipSync({ "day.csv": strToU8(content) }) : content,
  ]);
  return writeFiles(Object.fromEntries(zipped) as Record<string, Uint8Array>);
}

/** Writes files unchanged, in a folder that is removed when the test ends. */
export function writeFiles(files: Readonly<Record<string, string | Uint8Array>>): string {
  const dir = mkdtempSync(join(tmpdir(), "recording-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return dir;
}
