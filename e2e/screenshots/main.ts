import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { THEME_COOKIE } from "@/components/ui/theme";
import { connectAlone } from "@/e2e/journeys/fixtures";
import { type View, views, type Visitor, VISITORS } from "@/e2e/screenshots/views";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { SECOND_MS } from "@/lib/time/units";
import { findChromium } from "@/scripts/chromium";

/**
 * Takes pictures of every page: `npm run screenshots -- FOLDER PART` (the folder `screenshots`; all names that contain
 * PART). Each is taken dark and light, on a desktop and on a phone, from a server with simulated prices. Run `npm run
 * build` before.
 */

const FOLDER = resolve(process.argv[2] ?? "screenshots");
const PART = process.argv[3] ?? "";
const PASSWORD = "correct horse battery";
const THEMES = ["dark", "light"] as const;
const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
} as const;
/** What a page draws after its document: streams, charts and fonts. */
const SETTLE_MS = 1_500;
/** How long a page must be without its server until it says so. */
const OUTAGE_MS = 12 * SECOND_MS;

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const spotline = await startTestServer({}, "embedded");
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
  try {
    await prepareAccounts(spotline);
    for (const visitor of VISITORS)
      for (const theme of THEMES)
        for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[])
          await takeAll(browser, spotline, { visitor, theme, size });
  } finally {
    await browser.close();
    await spotline.stop();
  }
}

/** Creates the two accounts, and a key with some calls, so that keys and usage have something to show. */
async function prepareAccounts({ cli, url }: Spotline): Promise<void> {
  for (const [visitor, plan] of [
    ["operator", "enterprise"],
    ["member", "free"],
  ] as const)
    await cli("account", "create", "--email", toEmail(visitor), "--password", PASSWORD, "--plan", plan);
  const { key } = await cli<{ key: string }>("key", "create", "--account", toEmail("operator"), "--label", "Desk");
  for (const path of ["quote?symbol=EURUSD", "ohlc?symbol=XAUUSD", "quote?symbol=NOPE", "heatmap"])
    await fetch(`${url}/v1/${path}`, { headers: { "X-API-Key": key } });
}

const toEmail = (visitor: Visitor) => `${visitor}@example.com`;

interface Look {
  readonly visitor: Visitor;
  readonly theme: (typeof THEMES)[number];
  readonly size: keyof typeof SIZES;
}

async function takeAll(browser: Browser, spotline: Spotline, look: Look): Promise<void> {
  const wanted = views.filter(({ name, visitor }) => visitor === look.visitor && name.includes(PART));
  if (wanted.length === 0) return;
  const context = await browser.newContext({ ...SIZES[look.size], baseURL: spotline.url, reducedMotion: "reduce" });
  try {
    await context.addCookies([{ name: THEME_COOKIE, value: look.theme, url: spotline.url }]);
    if (look.visitor !== "nobody") await signIn(context, look.visitor);
    for (const view of wanted) await take(context, view, look);
  } finally {
    await context.close();
  }
}

async function signIn(context: BrowserContext, visitor: Visitor): Promise<void> {
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(toEmail(visitor));
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page
    .locator("main form")
    .getByRole("button", { name: /^Sign in$/ })
    .click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.close();
}

async function take(context: BrowserContext, view: View, { theme, size }: Look): Promise<void> {
  const page = await context.newPage();
  try {
    if (view.state === "loading") await holdData(page);
    // Requests of shared workers cannot be intercepted.
    if (view.state !== undefined) await connectAlone(page);
    await page.goto(view.address, { waitUntil: view.state === "loading" ? "commit" : "load" });
    await page.waitForTimeout(SETTLE_MS);
    if (view.state === "error") await failData(page);
    if (view.state === "stale") await context.setOffline(true);
    if (view.state === "error" || view.state === "stale") await page.waitForTimeout(OUTAGE_MS);
    await view.open?.(page);
    const file = join(FOLDER, `${view.name}.${size}.${theme}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${view.name}, ${size}, ${theme}: ${String(error)}`);
  } finally {
    await context.setOffline(false);
    await page.close();
  }
}

/** Everything that a page loads in the background, but not its document, its code or its fonts. */
const BACKGROUND = ["fetch", "xhr", "eventsource"];

/** Never answers what the page loads in the background. */
async function holdData(page: Page): Promise<void> {
  await page.route("**/*", (route) => {
    if (!BACKGROUND.includes(route.request().resourceType())) void route.continue();
  });
}

/** Answers what the page loads in the background with an error. */
async function failData(page: Page): Promise<void> {
  await page.route("**/*", (route) =>
    BACKGROUND.includes(route.request().resourceType()) ? route.fulfill({ status: 500 }) : route.continue(),
  );
}

await main();
