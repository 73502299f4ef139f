import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { expect, signIn, test, TRADER } from "@/e2e/journeys/fixtures";

/** Crypto trades on every day of the week. Each journey has a symbol of its own, because drawings are kept. */

interface StoredDrawing {
  readonly version: string;
  readonly drawing: { readonly id: string; readonly kind: string; readonly points: readonly (readonly number[])[] };
}

async function openChart(page: Page, symbol: string, query = ""): Promise<Locator> {
  await page.goto(`/symbols/${symbol}${query}`);
  const chart = page.getByRole("application", { name: new RegExp(`^Chart of ${symbol}`) });
  await expect(chart.locator("canvas").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^(All drawings|Draw)$/ }).first()).toBeVisible();
  return chart;
}

/** What the account has, once it is as many. */
async function readStored(page: Page, symbol: string, count: number): Promise<StoredDrawing[]> {
  let drawings: StoredDrawing[] = [];
  await expect(async () => {
    const answer = await page.request.get(`/symbols/${symbol}/drawings`);
    ({ drawings } = (await answer.json()) as { drawings: StoredDrawing[] });
    expect(drawings).toHaveLength(count);
  }).toPass({ timeout: 20_000, intervals: [200] });
  return drawings;
}

/** Places in shares of the chart. */
async function findPlaces(chart: Locator) {
  const box = await chart.boundingBox();
  if (box === null) throw new Error("The chart is not shown");
  return (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const;
}

async function listShown(page: Page): Promise<string[]> {
  await page.getByRole("button", { name: "All drawings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /^Drawings on/ });
  await expect(dialog).toBeVisible();
  const names = await dialog
    .getByRole("button", { name: /^Delete (?!all)/ })
    .evaluateAll((all) => all.map((each) => (each.getAttribute("aria-label") ?? "").replace("Delete ", "")));
  await dialog.getByRole("button", { name: "Done" }).click();
  return names;
}

test("A chart is drawn on with the mouse, and the drawings survive a reload and another timeframe", async ({
  trader: page,
}) => {
  const chart = await openChart(page, "BTCUSD", "?timeframe=M1");
  const place = await findPlaces(chart);
  await page.getByRole("button", { name: "Trend line" }).click();
  await expect(page.getByText("point 1 of 2")).toBeVisible();
  await page.mouse.click(...place(0.3, 0.5));
  await expect(page.getByText("point 2 of 2")).toBeVisible();
  await page.mouse.click(...place(0.5, 0.3));
  const bar = page.getByRole("group", { name: "Selected: Trend line" });
  await expect(bar).toBeVisible();
  const [line] = await readStored(page, "BTCUSD", 1);
  expect(line?.drawing.points[0]?.[1]).toBeLessThan(line?.drawing.points[1]?.[1] ?? 0);

  // A point is dragged, and then all of it, which moves both points by the same.
  await page.mouse.move(...place(0.5, 0.3));
  await page.mouse.down();
  await page.mouse.move(...place(0.5, 0.2), { steps: 4 });
  await page.mouse.up();
  await expect(async () => {
    const [moved] = await readStored(page, "BTCUSD", 1);
    expect(moved?.drawing.points[0]).toEqual(line?.drawing.points[0]);
    expect(moved?.drawing.points[1]?.[1]).toBeGreaterThan(line?.drawing.points[1]?.[1] ?? 0);
  }).toPass({ timeout: 20_000 });

  await bar.getByRole("combobox", { name: "Line" }).selectOption("dashed");
  await bar.getByRole("button", { name: "Duplicate" }).click();
  await readStored(page, "BTCUSD", 2);
  await page.keyboard.press("Delete");
  await readStored(page, "BTCUSD", 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await readStored(page, "BTCUSD", 2);
  await page.getByRole("button", { name: "Redo" }).click();

  // Pressed and dragged in one go.
  await page.getByRole("button", { name: "Rectangle" }).click();
  await page.mouse.move(...place(0.1, 0.2));
  await page.mouse.down();
  await page.mouse.move(...place(0.2, 0.4), { steps: 4 });
  await page.mouse.up();
  await readStored(page, "BTCUSD", 2);
  await page.mouse.click(...place(0.6, 0.75));
  await expect(page.getByRole("group", { name: /^Selected/ })).toHaveCount(0);
  await expectAccessible(chart, "a chart with drawings");

  await page.reload();
  await expect(chart.locator("canvas").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "All drawings", exact: true })).toBeVisible();
  await expect.poll(() => listShown(page)).toEqual(["Rectangle", "Trend line"]);
  await page.getByRole("button", { name: "M5", exact: true }).click();
  await expect(page).toHaveURL(/timeframe=M5/);
  await expect.poll(() => listShown(page)).toEqual(["Rectangle", "Trend line"]);
});

test("A chart is drawn on with the keyboard alone", async ({ trader: page }) => {
  const chart = await openChart(page, "ETHUSD", "?timeframe=M1");
  await chart.focus();
  await page.keyboard.press("Alt+KeyT");
  await page.keyboard.press("ArrowLeft");
  for (let steps = 0; steps < 3; steps++) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByText("point 2 of 2")).toBeVisible();
  for (let steps = 0; steps < 5; steps++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const [line] = await readStored(page, "ETHUSD", 1);
  const [from, to] = line?.drawing.points ?? [];
  expect(((to?.[0] ?? NaN) - (from?.[0] ?? NaN)) / 60_000).toBe(5);
  expect(to?.[1]).toBe(from?.[1]);

  // Its second point is raised, and the line is copied, pasted and deleted.
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await expect(async () => {
    const [moved] = await readStored(page, "ETHUSD", 1);
    expect(moved?.drawing.points[0]).toEqual(from);
    expect(moved?.drawing.points[1]?.[1]).toBeGreaterThan(to?.[1] ?? Infinity);
  }).toPass({ timeout: 20_000 });
  await page.keyboard.press("Control+KeyC");
  await page.keyboard.press("Control+KeyV");
  await readStored(page, "ETHUSD", 2);
  await page.keyboard.press("Delete");
  await readStored(page, "ETHUSD", 1);
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page.getByRole("group", { name: "Selected: Trend line" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("group", { name: "Selected: Trend line" })).toHaveCount(0);
  await page.keyboard.press("Control+KeyZ");
  await page.keyboard.press("Control+KeyY");
  await readStored(page, "ETHUSD", 1);
});

test("A chart is drawn on with a finger, and another device has the drawing", async ({ browser, spotline, trader }) => {
  const state = await trader.context().storageState();
  const phone = await browser.newContext({
    baseURL: spotline.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: state,
  });
  const page = await phone.newPage();
  const chart = await openChart(page, "LTCUSD", "?timeframe=M1");
  await page.getByRole("button", { name: "Draw", exact: true }).tap();
  const sheet = page.getByRole("dialog", { name: "Drawing tools" });
  await expect(sheet).toBeVisible();
  await expectAccessible(sheet, "the sheet of drawing tools");
  await sheet.getByRole("button", { name: "Measure" }).tap();
  const place = await findPlaces(chart);
  await page.touchscreen.tap(...place(0.2, 0.5));
  await page.touchscreen.tap(...place(0.5, 0.3));
  await expect(page.getByRole("group", { name: "Selected: Measure" })).toBeVisible();
  await expectNoSidewaysScroll(page, "the chart on a phone");
  await page.touchscreen.tap(...place(0.6, 0.65));
  await page.touchscreen.tap(...place(0.35, 0.4));
  await expect(page.getByRole("group", { name: "Selected: Measure" })).toBeVisible();
  await readStored(page, "LTCUSD", 1);
  await phone.close();

  const desktop = await signIn(browser, spotline, TRADER);
  await openChart(desktop, "LTCUSD", "?timeframe=H1");
  expect(await listShown(desktop)).toEqual(["Measure"]);
  await desktop.context().close();
});

test("A drawing of a newer version is listed as not shown, and goes through changes, export and import as it is", async ({
  trader: page,
}) => {
  const later = {
    id: "0f0e2b5c-6a0f-4a62-9c8e-0a5d6c1b2e3f",
    kind: "gann-fan",
    points: [
      [Date.UTC(2026, 0, 5), 1],
      [Date.UTC(2026, 0, 6), 2],
    ],
    rays: [1, { deep: [null, "x"] }],
  };
  await openChart(page, "XRPUSD");
  const status = await page.evaluate(async (drawing) => {
    const body = JSON.stringify({ changes: [{ id: drawing.id, base: null, drawing }] });
    return (await fetch("/symbols/XRPUSD/drawings", { method: "PUT", body })).status;
  }, later);
  expect(status).toBe(200);
  const chart = await openChart(page, "XRPUSD");
  const place = await findPlaces(chart);
  await page.keyboard.press("Alt+KeyH");
  await page.mouse.click(...place(0.5, 0.4));
  const stored = await readStored(page, "XRPUSD", 2);
  expect(stored.find(({ drawing }) => drawing.kind === "gann-fan")?.drawing).toEqual(later);

  await page.getByRole("button", { name: "All drawings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Drawings on XRPUSD" });
  await expect(dialog.getByText(/^Not shown/)).toBeVisible();
  await expect(dialog.getByText("gann-fan")).toBeVisible();
  await expectAccessible(dialog, "the list of drawings");
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export" }).click();
  const file = await (await download).path();
  const { drawings } = JSON.parse(await readFile(file, "utf8")) as { drawings: { id: string }[] };
  expect(drawings.find(({ id }) => id === later.id)).toEqual(later);

  await dialog.getByRole("button", { name: "Delete all" }).click();
  await readStored(page, "XRPUSD", 0);
  await dialog
    .getByLabel("File of drawings")
    .setInputFiles({ name: "x.json", mimeType: "text/plain", buffer: Buffer.from("{") });
  await expect(dialog.getByRole("alert")).toHaveText("The file is not JSON.");
  await dialog.getByLabel("File of drawings").setInputFiles(file);
  const again = await readStored(page, "XRPUSD", 2);
  const imported = again.find(({ drawing }) => drawing.kind === "gann-fan")?.drawing;
  expect(imported).toEqual({ ...later, id: imported?.id });
});

test("Drawings that the server does not answer for are kept in the browser and saved later", async ({
  trader: page,
}) => {
  const chart = await openChart(page, "SOLUSD");
  await page.route("**/symbols/SOLUSD/drawings", (route) => route.abort());
  await page.keyboard.press("Alt+KeyH");
  await page.mouse.click(...(await findPlaces(chart))(0.5, 0.4));
  await expect(page.getByRole("alert").filter({ hasText: "The drawings are saved once it answers." })).toBeVisible();
  await page.unroute("**/symbols/SOLUSD/drawings");
  await page.reload();
  await readStored(page, "SOLUSD", 1);
});

test("An alert is created at a price of the chart, moved, and deleted, with the mouse and with keys", async ({
  trader: page,
}) => {
  const readLevels = async () => {
    const answer = await page.request.get("/symbols/DOGEUSD/alerts");
    return ((await answer.json()) as { alerts: { points: number[][] }[] }).alerts.map(({ points }) => points[0]?.[1]);
  };
  const chart = await openChart(page, "DOGEUSD", "?timeframe=M1");
  const place = await findPlaces(chart);
  await page.mouse.click(...place(0.97, 0.3), { button: "right" });
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: /^Alert when [\d.]+ is crossed$/ })).toBeFocused();
  await expectAccessible(menu, "the menu of a chart");
  await page.keyboard.press("Enter");
  await expect.poll(readLevels).toHaveLength(1);
  const [level = NaN] = await readLevels();

  await page.mouse.move(...place(0.4, 0.3));
  await page.mouse.down();
  await page.mouse.move(...place(0.4, 0.4), { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await readLevels())[0] ?? Infinity).toBeLessThan(level);
  await expect(page.getByRole("group", { name: "Selected: alert" })).toBeVisible();
  await page.keyboard.press("Delete");
  await expect.poll(readLevels).toEqual([]);

  await chart.focus();
  await page.keyboard.press("Shift+F10");
  await page.keyboard.press("Enter");
  await expect.poll(readLevels).toHaveLength(1);
});

test("An alert on a drawn line is created on the chart, moves with its line, and is deleted with it", async ({
  trader: page,
}) => {
  const readAlerts = async () => {
    const answer = await page.request.get("/symbols/ADAUSD/alerts");
    return ((await answer.json()) as { alerts: { kind: string; drawing: string; points: number[][] }[] }).alerts;
  };
  const chart = await openChart(page, "ADAUSD", "?timeframe=M1");
  const place = await findPlaces(chart);
  await page.getByRole("button", { name: "Trend line" }).click();
  await page.mouse.click(...place(0.3, 0.5));
  await page.mouse.click(...place(0.5, 0.3));
  await page.mouse.click(...place(0.4, 0.4), { button: "right" });
  await page.getByRole("menuitem", { name: "Alert when its extension is crossed" }).click();
  await expect.poll(readAlerts).toHaveLength(1);
  const [stored] = await readStored(page, "ADAUSD", 1);
  const [before] = await readAlerts();
  expect(before).toMatchObject({ kind: "ray", drawing: stored?.drawing.id, points: stored?.drawing.points });
  await expectAccessible(chart, "a chart with an alert on a line");

  const bar = page.getByRole("group", { name: "Selected: Trend line" });
  await expect(bar.getByRole("button", { name: "Delete its alert" })).toBeVisible();
  await chart.focus();
  await page.keyboard.press("ArrowDown");
  await expect
    .poll(async () => (await readAlerts())[0]?.points[0]?.[1] ?? Infinity)
    .toBeLessThan(before?.points[0]?.[1] ?? 0);

  await expect(async () => {
    await bar.getByRole("link", { name: "Edit its alert" }).click();
    await expect(page).toHaveURL(/\/alerts/, { timeout: 5_000 });
  }).toPass();
  await expect(page.getByText(/straight on the chart of M1\. Moving or deleting it/)).toBeVisible();
  await page.getByRole("combobox", { name: "Price", exact: true }).selectOption("mid");
  await page.getByRole("button", { name: "Save alert" }).click();
  await expect(page.getByText(/mid crosses the line/).first()).toBeVisible();
  await openChart(page, "ADAUSD", "?timeframe=M1");

  await chart.focus();
  // Until the drawings are loaded, there is none to select.
  await expect(async () => {
    await page.keyboard.press("Alt+ArrowDown");
    await expect(bar).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Delete");
  await expect.poll(readAlerts).toEqual([]);
});
