import { confirmIfAsked, expect, PASSWORD, submitAccount, test } from "@/e2e/journeys/fixtures";

test("A newcomer creates a key, calls, and sees the call arrive on the overview", async ({ page, spotline }) => {
  await page.goto("/sign-up");
  await submitAccount(page, "newcomer@example.com", PASSWORD);
  await page.waitForURL("**/overview");
  const steps = page.getByRole("region", { name: "Your first call in three steps" });
  await expect(steps).toContainText(`"${spotline.url}/v1/quote?symbol=EURUSD"`);
  await expect(page.getByRole("region", { name: "High impact" })).toContainText("Included in Pay as you go");

  await steps.getByRole("link", { name: "Create key" }).click();
  await page.getByLabel("Label").fill("First");
  await confirmIfAsked(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.locator("#secret").innerText();
  await page.getByLabel("I have stored this key").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.waitForURL("**/keys");
  await page.getByRole("link", { name: "Overview" }).first().click();
  await expect(steps).toContainText("Waiting for the first call");

  const answer = await fetch(`${spotline.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
  expect(answer.status).toBe(200);
  await expect(steps.getByRole("status")).toContainText(/Your first call arrived at \d\d:\d\d:\d\d UTC/);
  await expect(page.getByRole("region", { name: "Usage today" })).toContainText("1of 1,000 calls");
  await page.reload();
  await expect(page.getByRole("region", { name: "Movers" })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test("The overview shows the market on one screen and leads to each page", async ({ trader }) => {
  await trader.setViewportSize({ width: 1440, height: 900 });
  await trader.goto("/overview");
  for (const title of ["Sessions", "High impact", "Strength", "Usage today", "Notices", "Movers", "Feeds"]) {
    await expect(trader.getByRole("region", { name: title, exact: true })).toBeVisible();
  }
  expect(await trader.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0);
  const movers = trader.getByRole("region", { name: "Movers" });
  const symbol = movers.getByRole("row").filter({ hasText: "%" }).first().getByRole("link");
  const name = await symbol.innerText();
  await symbol.click();
  await trader.waitForURL(`**/symbols/${name}`);
});
