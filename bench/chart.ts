import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { measurePage, report } from "@/bench/frames";
import { createCase } from "@/bench/import-rows";
import type { Spotline } from "@/e2e/support/spotline";

/** Measures the frames of a chart of 5,000 imported bars with three indicators while it is panned. */

const CHART_BARS = 5_000;
const IMPORTED_BARS = 6_000;
const PAN_MS = 10_000;
const PATH =
  "/symbols/GBPUSD?timeframe=M1&indicators=EMA_50,RSI_14,MACD&from=2020-01-10T06:00:00Z&to=2020-01-10T08:00:00Z";

async function main(): Promise<void> {
  await measurePage({ path: PATH, prepare: importBars }, async (page) => {
    const bars = await loadBars(page);
    const panning = panForEver(page);
    await report(page, `chart of ${bars} bars with three indicators, panned`, PAN_MS);
    panning.stop();
  });
}

async function importBars({ cli }: Spotline): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "spotline-chart-"));
  const file = join(folder, "DAT_ASCII_GBPUSD_M1_2020.csv");
  await writeFile(file, [...createCase("bars", IMPORTED_BARS)].join(""));
  await cli("import", file);
  await rm(folder, { recursive: true });
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
