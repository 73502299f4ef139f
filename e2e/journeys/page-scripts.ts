import type { Browser, BrowserContext, Page } from "@playwright/test";

/**
 * Lets every page that a browser opens or loads again wait until its controls work. Before its script runs, a page loses
 * clicks, which on a busy machine takes seconds.
 */
export function waitForScripts(browser: Browser): void {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    if (options?.javaScriptEnabled !== false) waitOnEveryPage(context);
    return context;
  };
}

/** The same for a context that is open already. */
export function waitOnEveryPage(context: BrowserContext): void {
  context.on("page", waitAfterLoading);
}

function waitAfterLoading(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...address) => {
    const response = await goto(...address);
    await waitForControls(page);
    return response;
  };
  page.reload = async (...options) => {
    const response = await reload(...options);
    await waitForControls(page);
    return response;
  };
}

/** React gives an element its properties when it begins to handle the element's events, but not what is hidden. */
async function waitForControls(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("button, input:not([type=hidden]), select, textarea")].every((control) =>
      Object.keys(control).some((name) => name.startsWith("__reactProps$")),
    ),
  );
}
