import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listPageGroups } from "@/components/shell/pages";

const DASHBOARD = "app/(dashboard)/";

test("Visitors of the demo see exactly the pages that their navigation has, and their data", () => {
  const open = new Set<string>();
  for (const file of readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file)) continue;
    const code = readFileSync(join(DASHBOARD, file), "utf8");
    if (/\b(requireViewer|createViewRoute|findStreamOwner)[(<]/.test(code)) open.add(`/${file.split("/")[0]}`);
  }
  const linked = listPageGroups("demo").flatMap(({ pages }) => pages.map(({ href }) => href));
  expect([...open].sort()).toEqual([...linked].sort());
});
