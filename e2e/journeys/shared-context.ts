import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserType, PlaywrightTestOptions } from "@playwright/test";
import { waitForScripts, waitOnEveryPage } from "@/e2e/journeys/page-scripts";

/** The kinds of a site's data that journeys leave. Cookies are removed for all sites, and what a tab stores ends with it. */
const STORED = "local_storage,indexeddb,cache_storage";

/** What a new context gets from the settings of the project only while a journey runs. */
export type ContextSettings = Partial<
  Pick<PlaywrightTestOptions, "actionTimeout" | "reducedMotion" | "serviceWorkers">
>;

export interface SharedContext {
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** Closes the pages of a journey, and removes what it stored and was allowed. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a browser whose own context is lent to one journey after another. In a new context the first page starts a
 * process, loads every script and compiles it, which takes longer than all the page does. Only the browser's own context
 * has a folder, in which Chromium keeps compiled scripts: a script with a nonce is compiled again on every other page.
 * Nothing else remains of a journey. One that fails ends its worker, and the browser with it.
 */
export async function openSharedContext(
  chromium: BrowserType,
  url: string,
  { actionTimeout, ...settings }: ContextSettings,
): Promise<SharedContext> {
  const folder = await mkdtemp(join(tmpdir(), "spotline-browser-"));
  const context = await chromium.launchPersistentContext(folder, { baseURL: url, ...settings });
  const browser = context.browser();
  if (browser === null) throw new Error("The browser has closed");
  if (actionTimeout !== undefined) context.setDefaultTimeout(actionTimeout);
  // Shows almost nothing, and keeps the process of the other pages.
  const [keeper = await context.newPage()] = context.pages();
  await keeper.goto(`${url}/health`);
  const devtools = await context.newCDPSession(keeper);
  waitForScripts(browser);
  waitOnEveryPage(context);
  return {
    browser,
    context,
    async clear() {
      const origins = new Set([url, url.replace("127.0.0.1", "localhost")]);
      for (const page of context.pages()) {
        if (page === keeper) continue;
        // A journey may have a server of its own.
        if (page.url().startsWith("http")) origins.add(new URL(page.url()).origin);
        await page.close();
      }
      await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)]);
      for (const origin of origins) {
        await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: STORED });
      }
    },
    async close() {
      await context.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
