import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import type axe from "axe-core";
import { expect } from "@/e2e/journeys/fixtures";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** Less than half as long as the source that axe exports of itself, and every page compiles it. */
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** Rules whose results depend on the theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Expects no violation of an axe rule in either theme. axe takes seconds for a page, so accessibility.spec.ts reads all
 * pages once, and other journeys only what they alone reach: a part, or a page of signing in.
 *
 * @param part a whole page, or a part of it
 */
export async function expectAccessible(part: Page | Locator, name: string): Promise<void> {
  const [page, element] = "goto" in part ? [part, part.locator("html")] : [part.page(), part];
  // For a moment after a navigation within the site, the document has no title.
  await expect(page).toHaveTitle(/./);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  for (const theme of ["dark", "light"] as const) {
    await page.locator("html").evaluate(async (html, value) => {
      html.dataset.theme = value;
      // Chromium updates the colours of rows with `content-visibility` when it draws the next frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    }, theme);
    expect(await findViolations(element, theme === "dark" ? null : COLOUR_RULES), `${name}, ${theme}`).toEqual([]);
  }
}

/** @param rules null for all */
function findViolations(element: Locator, rules: string[] | null): Promise<string[]> {
  return element.evaluate(async (context, runOnly) => {
    // Describing the elements that pass would double its time.
    const options = { resultTypes: ["violations" as const], ...(runOnly && { runOnly }) };
    const results = await window.axe?.run(context === document.documentElement ? document : context, options);
    if (results === undefined) throw new Error("axe is not loaded");
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  }, rules);
}

export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const overhang = await page.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overhang, `${name} scrolls sideways`).toBe(0);
}
