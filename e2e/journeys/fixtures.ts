import { test as base, type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import { addSession } from "@/e2e/journeys/accounts";
import { openSharedContext, type SharedContext } from "@/e2e/journeys/shared-context";
import { withAccess } from "@/e2e/support/access";
import { SESSION_COOKIE } from "@/e2e/support/sessions";
import type { Spotline } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { startTestServer } from "@/e2e/support/test-server";
import type { PlanName } from "@/lib/access/plans";

/** One server for all journeys, and a signed-in account. Journeys that stop a server start another one. */

export const TRADER = "trader@example.com";
export const PASSWORD = "correct horse battery";

type SignedIn = Awaited<ReturnType<BrowserContext["storageState"]>>;

interface Shared {
  readonly spotline: Spotline;
  /** The cookies of a signed-in account. */
  readonly signedIn: SignedIn;
  readonly shared: SharedContext;
}

interface OwnPage {
  /** A page whose visitor is signed in. */
  readonly trader: Page;
}

export const test = base.extend<OwnPage, Shared>({
  browser: [async ({ shared }, provide) => provide(shared.browser), { scope: "worker" }],
  spotline: [
    async ({}, provide) => {
      // The receivers of webhooks are on this machine.
      const env = {
        ...{ SPOTLINE_DEMO: "1", SPOTLINE_WEBHOOK_PRIVATE: "1", SPOTLINE_KEEP_TICKS: "EURUSD" },
        ...preferSteadySource(),
      };
      const spotline = await startTestServer({ env });
      await provide(spotline);
      if ((await spotline.stop()) !== 0) throw new Error(`The server failed to stop:\n${spotline.output()}`);
    },
    { scope: "worker", timeout: 90_000 },
  ],
  signedIn: [
    async ({ shared, spotline }, provide) => {
      await createAccount(shared.context, spotline, TRADER);
      const signedIn = await shared.context.storageState();
      await shared.clear();
      await provide(signedIn);
    },
    // Before any journey creates another account: the first one is the operator's, who may read all pages.
    { scope: "worker", auto: true },
  ],
  shared: [
    async ({ playwright, spotline }, provide, { project }) => {
      const { actionTimeout, reducedMotion, serviceWorkers } = project.use;
      const settings = { actionTimeout, reducedMotion, serviceWorkers };
      const shared = await openSharedContext(playwright.chromium, spotline.url, settings);
      await provide(shared);
      await shared.close();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  baseURL: async ({ spotline }, provide) => provide(spotline.url),
  // It exists already, so `test.use` cannot give it options: a journey that needs some opens a context of its own.
  context: async ({ shared }, provide) => {
    await provide(shared.context);
    await shared.clear();
  },
  trader: async ({ context, signedIn }, provide) => {
    await context.addCookies(signedIn.cookies);
    await provide(await context.newPage());
  },
});

/** Creates an account that nobody has signed in to yet. */
export async function addAccount({ place }: Spotline, email: string, plan: PlanName = "free"): Promise<void> {
  await withAccess(place, ({ accounts }) => accounts.create({ email, password: PASSWORD, plan }));
}

/** Creates an account and signs it in. Returns an empty page. */
export async function createAccount(
  visitor: Browser | BrowserContext,
  spotline: Spotline,
  email: string,
  plan?: PlanName,
): Promise<Page> {
  await addAccount(spotline, email, plan);
  return signIn(visitor, spotline, email);
}

/**
 * Signs an account in, without the pages for that, which have journeys of their own: in the context of a journey, or in
 * a new one, where it is another visitor or has another server. Returns an empty page.
 */
export async function signIn(
  visitor: Browser | BrowserContext,
  { url, place }: Pick<Spotline, "url" | "place">,
  email: string,
): Promise<Page> {
  const value = await addSession({ place }, email);
  const context = "newContext" in visitor ? await visitor.newContext({ baseURL: url }) : visitor;
  await context.addCookies([{ name: SESSION_COOKIE, value, url }]);
  return context.newPage();
}

/** Opens a page for another visitor, whom no server knows. */
export async function openVisitor(context: BrowserContext): Promise<Page> {
  await context.clearCookies();
  return context.newPage();
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

/**
 * Gives the page a connection of its own, as in a browser without shared workers: a journey cannot intercept what a shared
 * worker requests, nor take its network.
 */
export async function connectAlone(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.deleteProperty(window, "SharedWorker"));
}

export async function expectConnection(page: Page, label: string): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: label })).toBeVisible({ timeout: 20_000 });
}

export { expect };
