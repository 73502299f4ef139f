import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { pageGroups } from "@/components/shell/pages";
import { withAccess } from "@/e2e/support/access";
import { startTestServer } from "@/e2e/support/test-server";
import { findChromium } from "@/scripts/chromium";

/**
 * Measures the cold load of every page on a desktop: `npm run bench:web -- PART` (all paths that contain PART). Run
 * `npm run build` before. Each page loads into an empty cache with the processor slowed down to a quarter. Sizes do not
 * depend on the load of the machine; times do, so the load is printed with them.
 */

const PART = process.argv[2] ?? "";
const SLOW_DOWN = 4;
/** A server that has just started catches up on its history beside the browser. */
const SERVER_SETTLE_MS = 20_000;
/** What a page does after its document: streams, charts and fonts. */
const SETTLE_MS = 3_000;
const ACCOUNT = { email: "bench@example.com", password: "a long enough password", plan: "enterprise" } as const;

const PUBLIC = ["/", "/sign-in"];
const CHART = "/symbols/EURUSD";
/** Pages that draw with the library of the price chart. */
const CHART_PAGES = [CHART, "/spreads", "/strength"];
const OTHERS = [CHART, "/indicators/screener", "/keys/new", "/usage/requests", "/audit", "/notices", "/account"];

const TARGETS = { scriptKb: 160, chartScriptKb: 220, lcpMs: 1_200, longTaskMs: 200, shift: 0.01 } as const;

interface PageTimes {
  readonly lcpMs: number;
  /** The longest task; 0 if none took 50 ms. */
  readonly longTaskMs: number;
  readonly shift: number;
}

interface Measured extends PageTimes {
  readonly path: string;
  /** Of scripts as they were sent. */
  readonly scriptKb: number;
}

// A string, because it runs in the page, which cannot import this file.
const OBSERVE = `window.webBench = { lcpMs: 0, longTaskMs: 0, shift: 0 };
for (const [type, add] of Object.entries({
  "largest-contentful-paint": ({ startTime }) => { webBench.lcpMs = startTime; },
  longtask: ({ duration }) => { webBench.longTaskMs = Math.max(webBench.longTaskMs, duration); },
  "layout-shift": ({ value, hadRecentInput }) => { if (!hadRecentInput) webBench.shift += value; },
})) new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });`;

async function main(): Promise<void> {
  const spotline = await startTestServer({ discardLog: true }, "embedded");
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
  try {
    await withAccess(spotline.place, ({ accounts }) => accounts.create(ACCOUNT));
    await report(browser, spotline.url);
  } finally {
    await browser.close();
    await spotline.stop();
  }
}

async function report(browser: Browser, baseURL: string): Promise<void> {
  const linked = pageGroups.flatMap(({ pages }) => pages.map(({ href }) => href)).filter((href) => href !== "/symbols");
  const signedIn = await signIn(browser, baseURL);
  await pause(SERVER_SETTLE_MS);
  console.log(
    `load average ${loadavg()[0]?.toFixed(2)}, processor slowed down ${SLOW_DOWN} times, * misses its target`,
  );
  console.log(["page".padEnd(26), "script KB", "LCP ms", "task ms", "shift"].join("  "));
  for (const path of [...PUBLIC, ...linked, ...OTHERS].filter((each) => each.includes(PART))) {
    const storageState = PUBLIC.includes(path) ? undefined : signedIn;
    const context = await browser.newContext({ baseURL, storageState, viewport: { width: 1440, height: 900 } });
    try {
      console.log(formatLine(await measure(context, path)));
    } finally {
      await context.close();
    }
  }
  console.log(`load average ${loadavg()[0]?.toFixed(2)}`);
}

async function signIn(browser: Browser, baseURL: string) {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(ACCOUNT.email);
  await page.getByRole("textbox", { name: "Password" }).fill(ACCOUNT.password);
  await page.locator("main form button[type=submit]").click();
  await page.waitForURL("**/overview");
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Loads a page into the empty cache of a new context. */
async function measure(context: BrowserContext, path: string): Promise<Measured> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
  const scripts = new Set<string>();
  let bytes = 0;
  session.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.addInitScript(OBSERVE);
  const answer = await page.goto(path, { waitUntil: "load" });
  if (answer?.status() !== 200) throw new Error(`${path} answered with ${answer?.status()}`);
  await page.waitForTimeout(SETTLE_MS);
  const times = await page.evaluate<PageTimes>("webBench");
  return { path, scriptKb: bytes / 1_024, ...times };
}

function formatLine({ path, scriptKb, lcpMs, longTaskMs, shift }: Measured): string {
  const most = CHART_PAGES.includes(path) ? TARGETS.chartScriptKb : TARGETS.scriptKb;
  const cell = (value: number, target: number, width: number, digits = 0) =>
    `${value.toFixed(digits)}${value > target ? "*" : " "}`.padStart(width);
  return [
    path.padEnd(26),
    cell(scriptKb, most, 9, 1),
    cell(lcpMs, TARGETS.lcpMs, 6),
    cell(longTaskMs, TARGETS.longTaskMs, 7),
    cell(shift, TARGETS.shift, 6, 3),
  ].join("  ");
}

await main();
