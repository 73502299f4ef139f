import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listPageGroups } from "@/components/shell/pages";
import { Visits } from "@/features/session/viewer";

const DASHBOARD = "app/(dashboard)/";

test("Visitors of the demo see exactly the pages that their navigation has, and their data", () => {
  const open = new Set<string>();
  for (const file of readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file)) continue;
    const code = readFileSync(join(DASHBOARD, file), "utf8");
    if (/\b(requireViewer|openMarketPage|createViewRoute|findStreamOwner)[(<]/.test(code))
      open.add(`/${file.split("/")[0]}`);
  }
  const linked = listPageGroups("demo").flatMap(({ pages }) => pages.map(({ href }) => href));
  expect([...open].sort()).toEqual([...linked].sort());
});

const NOW_MS = Date.UTC(2026, 0, 5, 12);

test("An address of the demo has 300 requests a minute, and again in the next", () => {
  const visits = new Visits(300);
  const admitted = Array.from({ length: 310 }, () => visits.count("192.0.2.1", NOW_MS)).filter(Boolean);
  expect(admitted).toHaveLength(300);
  expect(visits.count("192.0.2.2", NOW_MS)).toBe(true);
  expect(visits.count("192.0.2.1", NOW_MS + 60_000)).toBe(true);
});

test("A dear request counts as several, and a greater plan has more of them", () => {
  const visits = new Visits(300);
  expect(Array.from({ length: 40 }, () => visits.count("free", NOW_MS, 10, 30)).filter(Boolean)).toHaveLength(33);
  expect(visits.count("free", NOW_MS, 1, 30)).toBe(false);
  expect(Array.from({ length: 100 }, () => visits.count("pro", NOW_MS, 10, 600)).filter(Boolean)).toHaveLength(90);
});

test("The demo counts at most 10,000 addresses, and refuses more within the minute", () => {
  const visits = new Visits(300);
  for (let address = 0; address < 10_000; address++) visits.count(String(address), NOW_MS);
  expect(visits.count("one more", NOW_MS)).toBe(false);
  expect(visits.count("7", NOW_MS)).toBe(true);
});
