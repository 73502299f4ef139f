import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "@/e2e/journeys/fixtures";

/** Rules whose results depend on the theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Expects no violation of an axe rule in either theme. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const theme of ["dark", "light"] as const) {
    await page.locator("html").evaluate(async (html, value) => {
      html.dataset.theme = value;
      // Chromium updates the colours of rows with `content-visibility` when it draws the next frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    }, theme);
    // Legacy mode opens no second page. It reads no frames, which the pages do not have. Describing the
    // elements that pass would double its time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
    const { violations } = await (theme === "dark" ? axe : axe.withRules(COLOUR_RULES)).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
    expect(found, `${name}, ${theme}`).toEqual([]);
  }
}

export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const overhang = await page.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overhang, `${name} scrolls sideways`).toBe(0);
}
