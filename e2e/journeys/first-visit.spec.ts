import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  expect,
  expectConnection,
  expectMovingPrice,
  PASSWORD,
  submitAccount,
  test,
  TRADER,
} from "@/e2e/journeys/fixtures";
import { migrateWithoutPast } from "@/e2e/support/prepared-past";
import { findSignUpPath, type Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";

const EMAIL = "first@example.com";

test.describe("The first visitor", () => {
  let dataDir: string;
  let empty: Spotline;

  test.beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "spotline-"));
    // A server that computes the past of all symbols would take a core from the other journeys.
    await migrateWithoutPast({ SPOTLINE_DATA_DIR: dataDir }, Date.now());
    empty = await startTestServer({ dataDir });
  });
  test.afterAll(async () => {
    await empty.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("sets up the installation, sees moving prices and can sign in again", async ({ page }) => {
    const url = empty.url.replace("127.0.0.1", "localhost");
    await page.goto(url);
    await page.getByRole("link", { name: "Create an account" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Set up this installation");
    await expect(page.getByRole("main")).toContainText("open the setup link that the server wrote to its log");
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await page.goto(url + (await findSignUpPath(empty.url)));
    await expect(page.getByRole("main")).toContainText("The first account belongs to the operator");
    await submitAccount(page, EMAIL, PASSWORD);

    await expect(page).toHaveURL(`${url}/overview`);
    await expect(page.getByRole("heading", { name: "Your first call in three steps" })).toBeVisible();
    await expect(page.locator("#overview-curl")).toContainText(`${url}/v1/quote`);
    await page.getByRole("link", { name: "Quotes", exact: true }).first().click();
    await expectMovingPrice(page, "EURUSD");
    await expectConnection(page, "Streaming");
    await page.getByRole("button", { name: /^Simulated( weekend)? data/ }).click();
    await expect(page.getByText("never to trade")).toBeVisible();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /Account menu/ }).click();
    await expect(page.getByText("Free plan, operator").filter({ visible: true })).toBeVisible();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${url}/sign-in`);

    const refusals: string[] = [];
    for (const [email, password] of [
      [EMAIL, "not the password"],
      ["nobody@example.com", PASSWORD],
    ] as const) {
      await page.goto(`${url}/sign-in`);
      await submitAccount(page, email, password);
      refusals.push((await page.locator("main [role=alert]").textContent()) ?? "");
    }
    expect(refusals[0]).toMatch(/not right/);
    expect(refusals[1]).toBe(refusals[0]);

    await page.goto(`${url}/keys/new`);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await submitAccount(page, EMAIL, PASSWORD);
    await expect(page).toHaveURL(`${url}/keys/new`);
  });
});

for (const next of ["//evil.example", "https://evil.example/", "/\\evil.example"]) {
  test(`A sign-in link with the next page ${next} leads to no other site`, async ({ page, spotline, signedIn }) => {
    expect(signedIn.cookies).not.toEqual([]);
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    // Anyone can also change the path in the form.
    await page.locator("input[name=next]").evaluate((input: HTMLInputElement, value) => (input.value = value), next);
    await submitAccount(page, TRADER, PASSWORD);
    await expect(page).toHaveURL(`${spotline.url}/overview`);
  });
}
