import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getLocalSocketPath, removeLocalSocket } from "@/lib/platform/local-socket";

test("On Linux and macOS, a name is a socket in its folder", () => {
  expect(getLocalSocketPath("/data", "http", "linux")).toBe("/data/http");
});

test("On Windows, a name is a separate pipe for every folder, in any spelling of the folder", () => {
  const pipe = getLocalSocketPath("C:\\Users\\Ann\\data", "http", "win32");
  expect(pipe).toMatch(/^\\\\\.\\pipe\\spotline-[0-9a-f]{32}-http$/);
  expect(getLocalSocketPath("c:\\users\\ann\\data\\", "http", "win32")).toBe(pipe);
  expect(getLocalSocketPath("C:\\Users\\Bob\\data", "http", "win32")).not.toBe(pipe);
});

test("A socket of a killed process is removed, and a pipe needs no removal", async () => {
  const folder = mkdtempSync(join(tmpdir(), "spotline-socket-"));
  const file = join(folder, "http");
  writeFileSync(file, "");
  await removeLocalSocket(file, "win32");
  expect(existsSync(file)).toBe(true);
  await removeLocalSocket(file, "linux");
  await removeLocalSocket(file, "linux");
  expect(existsSync(file)).toBe(false);
  rmSync(folder, { recursive: true });
});
