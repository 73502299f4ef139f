import { closeSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBlockOutput } from "@/lib/platform/log/block-output";

function openFile() {
  const path = join(mkdtempSync(join(tmpdir(), "spotline-log-")), "log");
  const fd = openSync(path, "w");
  return { output: createBlockOutput(fd), written: () => readFileSync(path, "utf8"), close: () => closeSync(fd) };
}

const lines = Array.from({ length: 5_000 }, (_, number) => `line ${number} ${"é".repeat(number % 40)}\n`);

test("Every line is written once and in order, over many blocks", async () => {
  const { output, written, close } = openFile();
  for (const [number, line] of lines.entries()) {
    output.write(line);
    output.writeAscii(`ascii ${number}\n`);
  }
  await output.flush();
  expect(written()).toBe(lines.map((line, number) => `${line}ascii ${number}\n`).join(""));
  close();
});

test("A line longer than a block is written", async () => {
  const { output, written, close } = openFile();
  const long = `${"x".repeat(200_000)}\n`;
  output.write("before\n");
  output.write(long);
  output.write("after\n");
  await output.flush();
  expect(written()).toBe(`before\n${long}after\n`);
  close();
});

test("A synchronous flush writes the pending lines at the end of a process", () => {
  const { output, written, close } = openFile();
  output.write("last words\n");
  output.flushSync();
  expect(written()).toBe("last words\n");
  close();
});
