import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { measurePage, report } from "@/bench/frames";
import { createCase } from "@/bench/import-rows";
import { createSeededRandom } from "@/bench/seeded-random";
import type { Spotline } from "@/e2e/support/spotline";

/**
 * Measures the frames of a chart of 5,000 imported bars with three indicators, and then with 50 drawings, while it is
 * panned and follows its price.
 */

const CHART_BARS = 5_000;
const IMPORTED_BARS = 6_000;
const PAN_MS = 10_000;
const DRAWINGS = 50;
const PATH =
  "/symbols/GBPUSD?timeframe=M1&indicators=EMA_50,RSI_14,MACD&from=2020-01-10T06:00:00Z&to=2020-01-10T08:00:00Z";

async function main(): Promise<void> {
  await measurePage({ path: PATH, prepare: importBars }, async (page) => {
    const bars = await loadBars(page);
    const panning = panForEver(page);
    await report(page, `chart of ${bars.length} bars with three indicators, panned`, PAN_MS);
    await panning.stop();
    const drawn = await addDrawings(page, bars);
    const again = panForEver(page);
    await report(page, `the same with ${drawn} drawings`, PAN_MS);
    await again.stop();
  });
}

/** The kinds of drawings with the number of their points. */
const KINDS = [
  ...(["trend-line", "ray", "extended-line", "arrow", "rectangle", "fib-retracement", "measure"] as const).map(
    (kind) => [kind, 2] as const,
  ),
  ...(["channel", "fib-extension", "pitchfork", "long-position", "short-position"] as const).map(
    (kind) => [kind, 3] as const,
  ),
  ...(["horizontal-line", "vertical-line", "text"] as const).map((kind) => [kind, 1] as const),
  ["brush", 150] as const,
];

/** Draws where the chart is, and waits until it shows the drawings. Returns how many there are. */
async function addDrawings(page: Page, bars: readonly Bar[]): Promise<number> {
  // The address has the shown range.
  const [fromMs, toMs] = ["from", "to"].map((name) => Date.parse(new URL(page.url()).searchParams.get(name) ?? ""));
  const shown = bars.filter(([timeMs]) => timeMs >= (fromMs ?? NaN) && timeMs <= (toMs ?? NaN));
  if (shown.length < 50) throw new Error(`The chart shows ${shown.length} bars`);
  const choose = createSeededRandom(1);
  const drawings = Array.from({ length: DRAWINGS }, (_, at) => {
    const [kind, count] = KINDS[at % KINDS.length] as (typeof KINDS)[number];
    const points = Array.from({ length: count }, () => {
      const [timeMs, , high, low] = shown[choose(shown.length)] as Bar;
      return [timeMs, low + (choose(1_000) / 1_000) * (high - low)];
    });
    return { id: randomUUID(), kind, points, text: kind === "text" ? "Resistance" : undefined };
  });
  const status = await page.evaluate(async (all) => {
    const changes = all.map((drawing) => ({ id: drawing.id, base: null, drawing }));
    const { status: answer } = await fetch("/symbols/GBPUSD/drawings", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ changes }),
    });
    return answer;
  }, drawings);
  if (status !== 200) throw new Error(`The drawings were answered with ${status}`);
  // The page reads them when it is shown again.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("button", { name: "All drawings", exact: true }).click();
  const list = page.getByRole("dialog").getByRole("listitem");
  for (let tries = 0; (await list.count()) < DRAWINGS; tries++) {
    if (tries === 50) throw new Error(`The page has ${await list.count()} drawings`);
    await page.waitForTimeout(200);
  }
  await page.keyboard.press("Escape");
  return DRAWINGS;
}

async function importBars({ cli }: Spotline): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "spotline-chart-"));
  const file = join(folder, "DAT_ASCII_GBPUSD_M1_2020.csv");
  await writeFile(file, [...createCase("bars", IMPORTED_BARS)].join(""));
  await cli("import", file);
  await rm(folder, { recursive: true });
}

type Bar = readonly [timeMs: number, open: number, high: number, low: number, close: number, volume: number];

/** Pans back until the chart has 5,000 bars. Returns them. */
async function loadBars(page: Page): Promise<readonly Bar[]> {
  const bars: Bar[] = [];
  page.on("response", async (response) => {
    if (!response.url().includes("/bars?")) return;
    const { bars: loaded = [] } = (await response.json()) as { bars?: Bar[] };
    bars.push(...loaded);
  });
  await page.reload();
  await page.locator("canvas").first().waitFor();
  for (let drags = 0; bars.length < CHART_BARS; drags++) {
    if (drags === 200) throw new Error(`The chart has ${bars.length} bars after ${drags} drags`);
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

/** Drags the chart there and back. `stop` waits for the end of the last movement. */
function panForEver(page: Page) {
  let isOn = true;
  const panning = (async () => {
    for (let turn = 0; isOn; turn++) await drag(page, turn % 2 === 0 ? -600 : 600).catch(() => (isOn = false));
  })();
  return {
    stop: () => {
      isOn = false;
      return panning;
    },
  };
}

await main();
