import type { Page } from "@playwright/test";
import { measurePage, report } from "@/bench/frames";

/**
 * Measures the frames of a chart of 5,000 bars with three indicators while it is panned. The market is simulated, and
 * trades on every day.
 */

const SYMBOL = "BTCUSD";
const CHART_BARS = 5_000;
const PAN_MS = 10_000;
const HISTORY_TIMEOUT_MS = 300_000;

async function main(): Promise<void> {
  const path = `/symbols/${SYMBOL}?timeframe=M1&indicators=EMA_50,RSI_14,MACD`;
  await measurePage({ path }, async (page) => {
    await waitForHistory(page);
    const bars = await loadBars(page);
    const panning = panForEver(page);
    await report(page, `chart of ${bars} bars with three indicators, panned`, PAN_MS);
    panning.stop();
  });
}

/** Waits until the server has filled in enough past bars. */
async function waitForHistory(page: Page): Promise<void> {
  const before = new Date(Date.now() - CHART_BARS * 60_000).toISOString();
  for (const deadline = Date.now() + HISTORY_TIMEOUT_MS; Date.now() < deadline; await page.waitForTimeout(1_000)) {
    const answer = await page.request.get(`/symbols/${SYMBOL}/bars?timeframe=M1&limit=10&before=${before}`);
    if (answer.ok() && ((await answer.json()) as { bars: unknown[] }).bars.length > 0) return;
  }
  throw new Error(`The server has no bars before ${before}`);
}

/** Pans back until the chart has 5,000 bars. Returns how many it has. */
async function loadBars(page: Page): Promise<number> {
  let bars = 0;
  page.on("response", async (response) => {
    if (!response.url().includes("/bars?")) return;
    const { bars: loaded = [] } = (await response.json()) as { bars?: unknown[] };
    bars += loaded.length;
  });
  await page.reload();
  await page.locator("canvas").first().waitFor();
  for (let drags = 0; bars < CHART_BARS; drags++) {
    if (drags === 200) throw new Error(`The chart has ${bars} bars after ${drags} drags`);
    await drag(page, 700);
  }
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

await main();
