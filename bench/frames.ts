import { loadavg } from "node:os";
import { type Browser, chromium, type Page } from "@playwright/test";
import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { findChromium } from "@/scripts/chromium";

/** Counts the frames of a page in a real browser. Server and browser share the machine, so the load is printed too. */

const WARM_UP_MS = 3_000;
const ACCOUNT = { email: "bench@example.com", password: "a long enough password", plan: "enterprise" } as const;

interface FrameCount {
  /** Milliseconds between one frame and the next. */
  readonly gaps: readonly number[];
  /** Milliseconds of each task longer than 50. */
  readonly longTasks: readonly number[];
}

// A string, because it runs in the page, which cannot import this file.
const countFrames = (ms: number) => `new Promise((resolve) => {
  const gaps = [], longTasks = [];
  const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration)));
  observer.observe({ type: "longtask" });
  let before = performance.now();
  const end = before + ${ms};
  requestAnimationFrame(function frame(now) {
    gaps.push(now - before);
    before = now;
    if (now < end) return requestAnimationFrame(frame);
    observer.disconnect();
    resolve({ gaps: gaps.slice(1), longTasks });
  });
})`;

interface Visit {
  readonly path: string;
  readonly env?: Record<string, string>;
  /** What the server needs before the visit. */
  readonly prepare?: (spotline: Spotline) => Promise<void>;
}

/** Starts a server with these settings and a browser, signs in, and calls `measure` with the page `path`. */
export async function measurePage(
  { path, env, prepare }: Visit,
  measure: (page: Page) => Promise<void>,
): Promise<void> {
  const executablePath = await findChromium();
  const spotline = await startTestServer({ discardLog: true, env });
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    const page = await browser.newPage({ baseURL: spotline.url, viewport: { width: 1440, height: 900 } });
    await withAccess(spotline.place, ({ accounts }) => accounts.create(ACCOUNT));
    await prepare?.(spotline);
    await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
    await page.getByLabel("E-mail").fill(ACCOUNT.email);
    await page.getByRole("textbox", { name: "Password" }).fill(ACCOUNT.password);
    await page.locator("main form button[type=submit]").click();
    await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
    await measure(page);
  } finally {
    await browser?.close();
    await spotline.stop();
  }
}

/** Prints the frames, tasks and memory of so many milliseconds, after a warm-up. */
export async function report(page: Page, name: string, ms: number): Promise<void> {
  await page.waitForTimeout(WARM_UP_MS);
  const readBusySeconds = await createBusyReader(page);
  const heapBefore = await readHeap(page);
  const { gaps, longTasks } = await page.evaluate<FrameCount>(countFrames(ms));
  const busy = await readBusySeconds();
  const sum = gaps.reduce((total, gap) => total + gap, 0);
  const countOver = (limit: number): number => gaps.filter((gap) => gap > limit).length;
  console.log(`${name}: ${(ms / 1_000).toFixed(0)} s`);
  console.log(`  frames ${gaps.length} (${((gaps.length / sum) * 1_000).toFixed(1)} a second)`);
  console.log(
    `  longest gap ${Math.max(...gaps).toFixed(1)} ms, over 20 ms: ${countOver(20)}, over 33 ms: ${countOver(33)}`,
  );
  console.log(`  long tasks ${longTasks.length}, longest ${Math.max(0, ...longTasks).toFixed(0)} ms`);
  console.log(`  main thread busy ${((busy / ms) * 100_000).toFixed(0)} %`);
  console.log(`  heap ${heapBefore.toFixed(1)} → ${(await readHeap(page)).toFixed(1)} MB`);
  console.log(`  load average ${loadavg()[0]?.toFixed(2)}`);
}

/** The page's heap after a collection, in megabytes. */
async function readHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1_048_576;
}

/** Returns a function that reads how long the main thread of the page has been busy, in seconds. */
async function createBusyReader(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
}
