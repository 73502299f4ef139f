import { expect, PASSWORD, submitAccount, test } from "@/e2e/journeys/fixtures";
import { findSignUpPath } from "@/e2e/support/spotline";

test("Accounts and keys work without JavaScript, and no address has a password", async ({ browser, spotline }) => {
  const context = await browser.newContext({ baseURL: spotline.url, javaScriptEnabled: false });
  const page = await context.newPage();
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(`${request.url()} ${request.headers().referer ?? ""}`));

  await page.goto(await findSignUpPath(spotline.url));
  await submitAccount(page, "plain@example.com", "short");
  await expect(page.getByText(/at least 10/i).first()).toBeVisible();
  await submitAccount(page, "plain@example.com", PASSWORD);
  await expect(page).toHaveURL(/\/overview$/);
  await page.goto("/quotes");
  await expect(page.locator(".board-row").first()).toContainText(/EURUSD.*\d\.\d{5}/);

  await page.goto("/keys/new");
  await page.getByLabel("Label").fill("Plain");
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.locator("noscript h2")).toHaveText("Store the key “Plain” now");
  await expect(page.locator("noscript pre")).toContainText(/X-API-Key: fxk_live_\w{30,}/);

  await page.goto("/keys");
  await page.getByRole("link", { name: "Revoke Plain" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain");
  const revocation = page.locator("form").filter({ has: page.getByRole("button", { name: "Revoke key" }) });
  await revocation.getByRole("button").click();
  await expect(page.locator("main dl").first()).toContainText("revoked");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("main dl").first()).toContainText("active");
  await page.getByRole("button", { name: "Rotate key" }).click();
  await expect(page.locator("noscript pre")).toContainText(/X-API-Key: fxk_live_\w{30,}/);
  await page.goto("/keys");

  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await submitAccount(page, "plain@example.com", PASSWORD);
  await expect(page).toHaveURL(/\/overview$/);

  expect(addresses.length).toBeGreaterThan(5);
  for (const address of addresses) expect(decodeURIComponent(address)).not.toMatch(/correct.horse|password/);
  await context.close();
});
