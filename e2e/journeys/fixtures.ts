import { type Browser, expect, type Page, test as base } from "@playwright/test";
import { waitForScripts } from "@/e2e/journeys/page-scripts";
import { withAccess } from "@/e2e/support/access";
import { SESSION_COOKIE, startTestSession } from "@/e2e/support/sessions";
import type { Spotline } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { startTestServer } from "@/e2e/support/test-server";
import type { PlanName } from "@/lib/access/plans";

/** One server for all journeys, and a signed-in account. Journeys that stop a server start another one. */

export const TRADER = "trader@example.com";
export const PASSWORD = "correct horse battery";

type SignedIn = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

interface Shared {
  readonly spotline: Spotline;
  /** The cookies of a signed-in account. */
  readonly signedIn: SignedIn;
}

interface OwnPage {
  /** A page whose visitor is signed in. */
  readonly trader: Page;
}

export const test = base.extend<OwnPage, Shared>({
  browser: [
    async ({ browser }, provide) => {
      waitForScripts(browser);
      await provide(browser);
    },
    { scope: "worker" },
  ],
  spotline: [
    async ({}, provide) => {
      // The receivers of webhooks are on this machine.
      const env = { SPOTLINE_DEMO: "1", SPOTLINE_WEBHOOK_PRIVATE: "1", ...preferSteadySource() };
      const spotline = await startTestServer({ env });
      await provide(spotline);
      if ((await spotline.stop()) !== 0) throw new Error(`The server failed to stop:\n${spotline.output()}`);
    },
    { scope: "worker", timeout: 90_000 },
  ],
  signedIn: [
    async ({ browser, spotline }, provide) => {
      const page = await createAccount(browser, spotline, TRADER);
      const cookies = await page.context().storageState();
      await page.context().close();
      await provide(cookies);
    },
    // Before any journey creates another account: the first one is the operator's, who may read all pages.
    { scope: "worker", auto: true },
  ],
  baseURL: async ({ spotline }, provide) => provide(spotline.url),
  trader: async ({ browser, spotline, signedIn }, provide) => {
    const context = await browser.newContext({ baseURL: spotline.url, storageState: signedIn });
    await provide(await context.newPage());
    await context.close();
  },
});

/**
 * Creates an account and signs it in, in a new browser context, without the pages for that, which have journeys of their
 * own. Returns an empty page.
 */
export async function createAccount(
  browser: Browser,
  { url, place }: Spotline,
  email: string,
  plan: PlanName = "free",
): Promise<Page> {
  const value = await withAccess(place, async ({ database, accounts }) => {
    const { id } = await accounts.create({ email, password: PASSWORD, plan });
    return startTestSession(database, id);
  });
  const context = await browser.newContext({ baseURL: url });
  await context.addCookies([{ name: SESSION_COOKIE, value, url }]);
  return context.newPage();
}

/** Signs an account in, in a new browser context. Returns its page, which shows the overview. */
export async function signIn(browser: Browser, baseURL: string, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await page.goto("/sign-in");
  await submitAccount(page, email, PASSWORD);
  await page.waitForURL("**/overview");
  return page;
}

/** Fills and sends the form to sign in or to sign up. */
export async function submitAccount(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page
    .locator("main form")
    .getByRole("button", { name: /^(Sign in$|Create)/ })
    .click();
}

/** Enters the password in a form that asks for it. After that, forms do not ask for ten minutes. */
export async function confirmIfAsked(page: Page): Promise<void> {
  const field = page.getByLabel("Your password");
  if (await field.isVisible()) await field.fill(PASSWORD);
}

/** Finds the row of a symbol on the board. */
export function findRow(page: Page, symbol: string) {
  const button = page.getByRole("button", { name: new RegExp(`^${symbol}\\b`) });
  const row = page.locator(".board-row").filter({ has: button });
  return { button, row, bid: row.locator(".cell-bid") };
}

/** Waits until the bid of a symbol changes. */
export async function expectMovingPrice(page: Page, symbol: string): Promise<void> {
  const { bid } = findRow(page, symbol);
  const before = (await bid.textContent()) ?? "";
  expect(before).toMatch(/^\d/);
  await expect(bid).not.toHaveText(before);
  await expect(bid).toHaveText(/^\d+(\.\d+)?$/);
}

export async function expectConnection(page: Page, label: string): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: label })).toBeVisible({ timeout: 20_000 });
}

export { expect };
