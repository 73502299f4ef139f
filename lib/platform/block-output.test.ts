import { closeSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blockOutput } from "@/lib/platform/block-output";

function openFile() {
  const path = join(mkdtempSync(join(tmpdir(), "spotline-log-")), "log");
  const fd = openSync(path, "w");
  return { output: blockOutput(fd), written: () => readFileSync(path, "utf8"), close: () => closeSync(fd) };
}

const lines = Array.from({ length: 5_000 }, (_, number) => `line ${number} ${"é".repeat(number % 40)}\n`);

test("writes every line once, in order, however many blocks they fill", async () => {
  const { output, written, close } = openFile();
  for (const [number, line] of lines.entries()) {
    output.write(line);
    output.writeAscii(`ascii ${number}\n`);
  }
  await output.flush();
  expect(written()).toBe(lines.map((line, number) => `${line}ascii ${number}\n`).join(""));
  close();
});

test("writes a line longer than a block", async () => {
  const { output, written, close } = openFile();
  const long = `${"x".repeat(200_000)}\n`;
  output.write("before\n");
  output.write(long);
  output.write("after\n");
  await output.flush();
  expect(written()).toBe(`before\n${long}after\n`);
  close();
});

test("gives out what it holds at the last moment of a process", () => {
  const { output, written, close } = openFile();
  output.write("last words\n");
  output.flushSync();
  expect(written()).toBe("last words\n");
  close();
});
