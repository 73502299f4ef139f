import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { LONG_FILES } from "@/scripts/test-sequencer";

test("The files that are started early exist", () => {
  expect(LONG_FILES.filter((name) => !existsSync(name))).toEqual([]);
});
