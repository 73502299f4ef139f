import { loadavg } from "node:os";
import { chromium, type Page } from "@playwright/test";
import { withAccess } from "@/e2e/support/access";
import { startSpotline } from "@/e2e/support/spotline";
import { findChromium } from "@/scripts/chromium";

/**
 * Measures the frames of the live board: a real browser shows every symbol and counts its frames while prices arrive.
 * Server and browser share the machine, so the load is printed with the result. A browser without a display also draws
 * 60 frames a second.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const WARM_UP_MS = 3_000;

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

const ACCOUNT = { email: "bench@example.com", password: "a long enough password" };

async function main(): Promise<void> {
  const executablePath = await findChromium();
  const spotline = await startSpotline({ discardLog: true });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage({ baseURL: spotline.url, viewport: { width: 1440, height: 900 } });
    await withAccess(spotline.place, ({ accounts }) => accounts.create(ACCOUNT));
    await openBoard(page);
    await report(page, "board");
    await page.locator("[data-row-button]").first().click();
    await page.locator(".recharts-line").first().waitFor();
    await report(page, "board with an open row and its chart");
  } finally {
    await browser.close();
    await spotline.stop();
  }
}

async function openBoard(page: Page): Promise<void> {
  await page.goto("/sign-in?next=/quotes");
  await page.getByLabel("E-mail").fill(ACCOUNT.email);
  await page.getByRole("textbox", { name: "Password" }).fill(ACCOUNT.password);
  await page.locator("main form button[type=submit]").click();
  await page.getByRole("status").filter({ hasText: "Streaming" }).waitFor();
}

async function report(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(WARM_UP_MS);
  const symbols = await page.locator(".board-row").count();
  if (symbols < 100) throw new Error(`expected at least 100 symbols, not ${symbols}`);
  const readBusySeconds = await createBusyReader(page);
  const { gaps, longTasks } = await page.evaluate<FrameCount>(countFrames(SECONDS * 1_000));
  const busy = await readBusySeconds();
  const sum = gaps.reduce((total, gap) => total + gap, 0);
  const countOver = (ms: number): number => gaps.filter((gap) => gap > ms).length;
  console.log(`${name}: ${symbols} symbols, ${SECONDS} s`);
  console.log(`  frames ${gaps.length} (${((gaps.length / sum) * 1_000).toFixed(1)} a second)`);
  console.log(
    `  longest gap ${Math.max(...gaps).toFixed(1)} ms, over 20 ms: ${countOver(20)}, over 33 ms: ${countOver(33)}`,
  );
  console.log(`  long tasks ${longTasks.length}, longest ${Math.max(0, ...longTasks).toFixed(0)} ms`);
  console.log(`  main thread busy ${((busy / SECONDS) * 100).toFixed(0)} %`);
  console.log(`  load average ${loadavg()[0]?.toFixed(2)}`);
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

await main();
