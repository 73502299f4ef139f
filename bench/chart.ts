import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Response } from "@playwright/test";
import { measurePage, report } from "@/bench/frames";
import { createCase } from "@/bench/import-rows";
import { createSeededRandom } from "@/bench/seeded-random";
import type { Spotline } from "@/e2e/support/spotline";
import { toSharedHref } from "@/features/screens/screen-changes";
import { FIRST_BARS } from "@/features/symbols/bars-url";
import { DEFAULT_LINKS, type Panel } from "@/lib/access/screens/screen";
import { GRID } from "@/lib/access/screens/tiling";

/**
 * Measures the frames of a chart of 5,000 imported bars with three indicators, then with 50 drawings, and then of a screen
 * with four charts of up to 2,000 bars, whose prices change at any hour. The charts are panned all the time.
 */

const CHART_BARS = 5_000;
const IMPORTED_BARS = 6_000;
const PAN_MS = 10_000;
const DRAWINGS = 50;
/** Fewer where the test server has no more. */
const SCREEN_BARS = 2_000;
const MOST_DRAGS = 60;
const SCREEN_SYMBOLS = ["BTCUSD", "EURUSD", "GBPUSD", "USDJPY"] as const;
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
    const isMoving = await openScreen(page);
    const turns = panForEver(page, SCREEN_PLACES);
    await report(page, `screen of four charts, panned in turn`, PAN_MS);
    await turns.stop();
    if (!(await isMoving())) throw new Error("The prices of the screen stand still");
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
  const shown = await findShown(page, bars);
  const choose = createSeededRandom(1);
  const drawings = Array.from({ length: DRAWINGS }, (_, at) => {
    const [kind, count] = KINDS[at % KINDS.length] as (typeof KINDS)[number];
    // A brush follows the prices bar by bar. All others have their points anywhere.
    const first = choose(Math.max(1, shown.length - count));
    const points = Array.from({ length: count }, (__, point) => {
      const [timeMs, , high, low] = shown[
        kind === "brush" ? (first + point) % shown.length : choose(shown.length)
      ] as Bar;
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

/** The imported bars that the chart shows. If panning ended at newer ones, it drags the chart back to them. */
async function findShown(page: Page, bars: readonly Bar[]): Promise<readonly Bar[]> {
  for (let drags = 0; drags < 50; drags++) {
    // The address has the range a moment after the chart stands still.
    await page.waitForTimeout(1_000);
    const { searchParams } = new URL(page.url());
    const [fromMs, toMs] = ["from", "to"].map((name) => Date.parse(searchParams.get(name) ?? "")) as [number, number];
    const shown = bars.filter(([timeMs]) => timeMs >= fromMs && timeMs <= toMs);
    if (shown.length >= 50) return shown;
    await drag(page, 700);
  }
  throw new Error(`The chart shows none of its bars at ${page.url()}`);
}

async function importBars({ cli }: Spotline): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "spotline-chart-"));
  const file = join(folder, "DAT_ASCII_GBPUSD_M1_2020.csv");
  await writeFile(file, [...createCase("bars", IMPORTED_BARS)].join(""));
  await cli("import", file);
  await rm(folder, { recursive: true });
}

type Bar = readonly [timeMs: number, open: number, high: number, low: number, close: number, volume: number];

/** The bars of an answer; none if the page was left before it was read. */
async function readBars(response: Response): Promise<readonly Bar[]> {
  const { bars = [] } = ((await response.json().catch(() => null)) ?? {}) as { bars?: readonly Bar[] };
  return bars;
}

/** Pans back until the chart has 5,000 bars. Returns them. */
async function loadBars(page: Page): Promise<readonly Bar[]> {
  const bars: Bar[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/bars?")) bars.push(...(await readBars(response)));
  });
  await page.reload();
  await page.locator("canvas").first().waitFor();
  for (let drags = 0; bars.length < CHART_BARS; drags++) {
    if (drags === 200) throw new Error(`The chart has ${bars.length} bars after ${drags} drags`);
    await drag(page, 700);
  }
  return bars;
}

/** The middle of each chart of the screen. */
const SCREEN_PLACES = [
  [360, 300],
  [1_080, 300],
  [360, 680],
  [1_080, 680],
] as const;

/** Opens a screen of four charts, and pans each back until it has its bars. Returns whether prices have changed since. */
async function openScreen(page: Page): Promise<() => Promise<boolean>> {
  const bars = new Map<string, number>();
  page.on("response", async (response) => {
    const [, symbol] = /\/symbols\/(\w+)\/bars\?/.exec(response.url()) ?? [];
    if (symbol === undefined) return;
    bars.set(symbol, (bars.get(symbol) ?? 0) + (await readBars(response)).length);
  });
  const panels = SCREEN_SYMBOLS.map((symbol, at) => ({
    ...{ id: symbol.toLowerCase(), kind: "chart", colour: null, w: GRID.columns / 2, h: GRID.rows / 2 },
    ...{ x: (at % 2) * (GRID.columns / 2), y: Math.floor(at / 2) * (GRID.rows / 2) },
    settings: { symbol, timeframe: "M1", indicators: [], layers: ["volume"] },
  })) as unknown as Panel[];
  await page.goto(await toSharedHref({ name: "Four", content: { panels, links: DEFAULT_LINKS } }));
  await page.locator("canvas").nth(20).waitFor();
  for (const [at, symbol] of SCREEN_SYMBOLS.entries()) {
    for (let drags = 0; drags < MOST_DRAGS && FIRST_BARS + (bars.get(symbol) ?? 0) < SCREEN_BARS; drags++) {
      await drag(page, 300, SCREEN_PLACES[at]);
    }
    console.log(`chart of ${symbol}: ${FIRST_BARS + (bars.get(symbol) ?? 0)} bars`);
  }
  const read = () => page.evaluate(() => document.querySelector("main")?.textContent);
  const before = await read();
  return async () => (await read()) !== before;
}

/** Drags the chart by so many pixels around a place: to the right shows older bars. */
async function drag(page: Page, pixels: number, [x, y]: readonly [number, number] = [650, 400]): Promise<void> {
  await page.mouse.move(x - pixels / 2, y);
  await page.mouse.down();
  await page.mouse.move(x + pixels / 2, y, { steps: 30 });
  await page.mouse.up();
}

/** Drags the chart there and back, or the charts at several places in turn. `stop` waits for the end of the last movement. */
function panForEver(page: Page, places?: readonly (readonly [number, number])[]) {
  const reach = places === undefined ? 600 : 300;
  let isOn = true;
  const panning = (async () => {
    for (let turn = 0; isOn; turn++) {
      const place = places?.[Math.floor(turn / 2) % places.length];
      await drag(page, turn % 2 === 0 ? -reach : reach, place).catch(() => (isOn = false));
    }
  })();
  return {
    stop: () => {
      isOn = false;
      return panning;
    },
  };
}

await main();
