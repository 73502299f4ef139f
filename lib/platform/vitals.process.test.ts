import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundle } from "./testing/bundle";

test.skipIf(process.platform === "win32")(
  "A process without free file descriptors goes on, and logs once that it cannot read its memory",
  async () => {
    const { file } = await bundle("lib/platform/testing/files-child.ts");
    const command = `ulimit -n 256; exec "${process.execPath}" "${file}"`;
    const { stdout, stderr } = await promisify(execFile)("sh", ["-c", command]);
    expect(stderr).toBe("");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { msg: "reading the memory in use failed", err: { message: expect.stringContaining("EMFILE") as unknown } },
      { msg: "done", without: [true, true, true], after: true },
    ]);
  },
);
