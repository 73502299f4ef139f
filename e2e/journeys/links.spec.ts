import { expect, test } from "@/e2e/journeys/fixtures";

test("A page loads a linked page in advance when the pointer or the focus reaches its link, not before", async ({
  trader: page,
}) => {
  const loaded: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"] !== undefined) loaded.push(new URL(request.url()).pathname);
  });
  await page.goto("/keys");
  // Before its script runs, a link notices no pointer. Links that move may pass below the pointer.
  const usage = page.getByRole("link", { name: "Usage", exact: true });
  await expect.poll(() => usage.evaluate((link) => Object.keys(link).join())).toContain("__reactProps$");
  // Other requests of the page may never pause.
  await page.waitForTimeout(500);
  expect(loaded).toEqual([]);
  await usage.hover();
  await expect.poll(() => loaded).toContain("/usage");
  expect(loaded).not.toContain("/plan");
  await page.getByRole("link", { name: "Plan", exact: true }).focus();
  await expect.poll(() => loaded).toContain("/plan");
});
