import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { withAccess } from "@/e2e/support/access";
import { startTestServer } from "@/e2e/support/test-server";
import { instruments } from "@/lib/market/catalog";
import { findChromium } from "@/scripts/chromium";

/**
 * Measures the frames and the memory of pages that stay open: a real browser shows the board with every symbol, each of
 * which changes BOARD_CHANGES times a second, then a chart of 5,000 bars with three indicators, which is panned. Server,
 * venue and browser share the machine, so the load is printed with the result. A browser without a display also draws 60
 * frames a second.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const BOARD_CHANGES = process.env.BOARD_CHANGES ?? "10";
const WARM_UP_MS = 3_000;
const CHART_BARS = 5_000;
const PAN_MS = 10_000;

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

const ACCOUNT = { email: "bench@example.com", password: "a long enough password", plan: "enterprise" } as const;

async function main(): Promise<void> {
  const executablePath = await findChromium();
  const venue = await startVenue();
  const spotline = await startTestServer({ discardLog: true, env: venue.env });
  const args = ["--no-sandbox", "--disable-gpu"];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({ baseURL: spotline.url, viewport: { width: 1440, height: 900 } });
    await withAccess(spotline.place, ({ accounts }) => accounts.create(ACCOUNT));
    await openBoard(page);
    await report(page, `board, ${BOARD_CHANGES} changes a second of each symbol`, SECONDS * 1_000);
    await page.locator("[data-row-button]").first().click();
    await page.locator(".recharts-line").first().waitFor();
    await report(page, "board with an open row and its chart", PAN_MS);
    const bars = await openChart(page);
    const panning = panForEver(page);
    await report(page, `chart of ${bars} bars with three indicators, panned`, PAN_MS);
    panning.stop();
  } finally {
    await browser.close();
    await spotline.stop();
    venue.stop();
  }
}

/** Starts the venue, and returns the settings of a server whose only source it is. */
async function startVenue() {
  const child = spawn(process.execPath, ["--import", "tsx", "bench/board-venue.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, BOARD_CHANGES },
  });
  const [printed] = (await once(child.stdout, "data")) as [Buffer];
  const folder = mkdtempSync(join(tmpdir(), "spotline-board-"));
  const SPOTLINE_CONFIG = join(folder, "spotline.config.ts");
  const source = {
    kind: "tradermade",
    symbols: instruments.map(({ symbol }) => symbol),
    url: String(printed).trim(),
  };
  writeFileSync(
    SPOTLINE_CONFIG,
    `import { defineSpotline } from "spotline";\nexport default defineSpotline({ sources: [${JSON.stringify(source)}] });`,
  );
  return {
    env: { SPOTLINE_CONFIG, SPOTLINE_TRADERMADE_TOKEN: "a key" },
    stop() {
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openBoard(page: Page): Promise<void> {
  await page.goto("/sign-in?next=/quotes");
  await page.getByLabel("E-mail").fill(ACCOUNT.email);
  await page.getByRole("textbox", { name: "Password" }).fill(ACCOUNT.password);
  await page.locator("main form button[type=submit]").click();
  await page.getByRole("status").filter({ hasText: "Streaming" }).waitFor();
}

/** Opens the chart and pans back until it has loaded 5,000 bars. Returns how many it has. */
async function openChart(page: Page): Promise<number> {
  let bars = 0;
  page.on("response", async (response) => {
    if (!response.url().includes("/bars?")) return;
    const { bars: loaded = [] } = (await response.json()) as { bars?: unknown[] };
    bars += loaded.length;
  });
  await page.goto("/symbols/EURUSD?timeframe=M5&indicators=EMA_50,RSI_14,MACD");
  const chart = page.locator("canvas").first();
  await chart.waitFor();
  await page.waitForTimeout(WARM_UP_MS);
  for (let drags = 0; bars < CHART_BARS && drags < 200; drags++) await drag(page, 700);
  return bars;
}

/** Drags the chart by so many pixels: to the right shows older bars. */
async function drag(page: Page, pixels: number): Promise<void> {
  const [x, y, steps] = [pixels > 0 ? 300 : 1_000, 400, 30];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + pixels, y, { steps });
  await page.mouse.up();
}

function panForEver(page: Page) {
  let isOn = true;
  void (async () => {
    for (let turn = 0; isOn; turn++) await drag(page, turn % 2 === 0 ? -600 : 600).catch(() => (isOn = false));
  })();
  return { stop: () => (isOn = false) };
}

async function report(page: Page, name: string, ms: number): Promise<void> {
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

await main();
