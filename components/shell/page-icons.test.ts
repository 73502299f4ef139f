import { expect, test } from "vitest";
import { getPageIcon } from "@/components/shell/page-icons";
import { pageGroups } from "@/components/shell/pages";

test("Every page has an icon of its own", () => {
  const icons = pageGroups.flatMap(({ pages }) => pages.map(getPageIcon));
  expect(new Set(icons).size).toBe(icons.length);
});
