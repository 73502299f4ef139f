import type { BrowserContext, Page } from "@playwright/test";
import { createAccount, expect, expectMovingPrice, PASSWORD, test } from "@/e2e/journeys/fixtures";
import { createPlace } from "@/e2e/support/prepared-past";
import { createSecondBuild } from "@/e2e/support/second-build";
import { type Spotline, startSpotline } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { findFreePort } from "@/lib/platform/testing/free-port";

/** Tabs that were opened before an upgrade or a downgrade of the server. */

const EMAIL = "upgrade@example.com";

/** Two builds of the server at one address, of which one runs at a time. */
async function prepareBuilds() {
  const { place, remove } = await createPlace();
  const second = createSecondBuild();
  const port = await findFreePort();
  const env = { ...place, ...preferSteadySource() };
  let running: Spotline | null = null;
  return {
    async run(build: "first" | "second"): Promise<Spotline> {
      await running?.stop();
      running = await startSpotline({ env, port, ...(build === "second" ? { folder: second.folder } : {}) });
      return running;
    },
    async end(): Promise<void> {
      await running?.stop();
      second.remove();
      await remove();
    },
  };
}

const notice = (page: Page) => page.getByRole("status").filter({ hasText: "Spotline was updated" });

/** Counts the pages that a tab loads from the server. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("request", (request) => request.isNavigationRequest() && request.frame() === page.mainFrame() && loads++);
  return () => loads;
}

/** Brings a tab to the front. Chromium without a window tells no tab that it is seen again. */
async function returnTo(page: Page): Promise<void> {
  await page.bringToFront();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Opens a part of a page whose script the server does not have any more. */
async function expectMissingPart(page: Page): Promise<void> {
  await page.bringToFront();
  await page.getByRole("button", { name: "View" }).click();
  await expect(page.getByRole("heading", { name: "Spotline was updated" })).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Reload" }).click();
  await page.getByRole("button", { name: "View" }).click();
  await expect(page.getByRole("group", { name: /Columns/ }).first()).toBeVisible();
}

test("Tabs of another build say so, keep what was typed, and load the new pages once", async ({ browser }) => {
  test.setTimeout(300_000);
  const builds = await prepareBuilds();
  try {
    const { url, place } = await builds.run("first");
    const signedIn = await createAccount(browser, { url, place } as Spotline, EMAIL, "pro");
    const context = signedIn.context();
    for (const next of ["second", "first"] as const) {
      const form = await openTab(context, `${url}/keys/new`);
      await form.getByRole("textbox", { name: "Label" }).fill(`Before the ${next}`);
      for (const field of await form.getByLabel("Your password").all()) await field.fill(PASSWORD);
      const typed = await openTab(context, `${url}/plan`);
      await typed.getByRole("textbox", { name: "Message, optional" }).fill("For the desk");
      const links = await openTab(context, `${url}/sessions`);
      const part = await openTab(context, `${url}/quotes`);
      await part.getByPlaceholder("Search symbols").fill("EUR");
      const idle = await openTab(context, `${url}/quotes`);
      await expectMovingPrice(idle, "EURUSD");
      const loads = [form, typed, links, part, idle].map(countLoads);

      await builds.run(next);
      // The first pages of a server that has just started take long.
      for (const path of ["/keys/new", "/quotes", "/plan"]) await context.request.get(url + path, { timeout: 60_000 });

      // A form whose action the server does not know.
      await form.bringToFront();
      await form.getByRole("button", { name: "Create key" }).click();
      await expect(notice(form)).toContainText("was not sent", { timeout: 60_000 });
      await expect(form.getByRole("textbox", { name: "Label" })).toHaveValue(`Before the ${next}`);
      await expect(form.getByText("This page could not be shown")).toHaveCount(0);
      expect(loads[0]?.()).toBe(1);
      for (const field of await form.getByLabel("Your password").all()) await field.fill(PASSWORD);
      await form.getByRole("button", { name: "Create key" }).click();
      await expect(form.getByRole("dialog")).toContainText("The key is shown only once");

      // Prices go on in the old tab, which then loads the new page while nobody uses it.
      await returnTo(idle);
      await expectMovingPrice(idle, "EURUSD");
      await expect(notice(idle)).toBeVisible();
      await expect.poll(() => loads[4]?.(), { timeout: 30_000 }).toBe(1);
      await expectMovingPrice(idle, "EURUSD");

      // A link, and a part of the page that was not loaded yet.
      await links.bringToFront();
      await links.getByRole("link", { name: "Spreads" }).first().click();
      await expect(links).toHaveURL(/\/spreads$/);
      await expect(links.getByRole("heading", { name: "Spreads" }).first()).toBeVisible();
      expect(loads[2]?.()).toBe(1);
      // Later the browser still has the script of that part.
      if (next === "second") await expectMissingPart(part);

      // Where something is typed, the tab waits for its reader.
      await returnTo(typed);
      await expect(notice(typed)).toBeVisible();
      expect(loads[1]?.()).toBe(0);
      await notice(typed).getByRole("button", { name: "Reload" }).click();
      await expect(typed.getByRole("textbox", { name: "Message, optional" })).toHaveValue("For the desk");
      expect(loads.map((count) => count())).toEqual([1, 1, 1, next === "second" ? 1 : 0, 1]);
      for (const page of [form, typed, links, part, idle]) await page.close();
    }
    await context.close();
  } finally {
    await builds.end();
  }
});
