import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test";

/** The kinds of a site's data that journeys leave. Cookies are removed for all sites, and what a tab stores ends with it. */
const STORED = "local_storage,indexeddb,cache_storage";

interface Opened {
  readonly context: BrowserContext;
  /** Shows almost nothing, and keeps the process of the other pages. */
  readonly keeper: Page;
  readonly devtools: CDPSession;
}

export type SharedContext = ReturnType<typeof createSharedContext>;

/**
 * Lends one browser context to one journey after another. In a new context the first page starts a process, loads every
 * script and compiles it, which takes longer than all the page does. Nothing else remains of a journey. One that fails
 * ends its worker, and the context with it.
 */
export function createSharedContext(browser: Browser, url: string) {
  let opened: Opened | null = null;

  async function open(): Promise<Opened> {
    const context = await browser.newContext({ baseURL: url });
    const keeper = await context.newPage();
    await keeper.goto("/health");
    return { context, keeper, devtools: await context.newCDPSession(keeper) };
  }

  return {
    /** To be called by a journey, because only then does a context get the settings of the project. */
    async lend(): Promise<BrowserContext> {
      opened ??= await open();
      return opened.context;
    },
    /** Closes the pages of a journey, and removes what it stored and was allowed. */
    async clear(): Promise<void> {
      if (opened === null) return;
      const { context, keeper, devtools } = opened;
      for (const page of context.pages()) if (page !== keeper) await page.close();
      await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)]);
      for (const origin of [url, url.replace("127.0.0.1", "localhost")])
        await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: STORED });
    },
  };
}
