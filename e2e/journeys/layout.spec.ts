import type { Page } from "@playwright/test";
import { expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { addSession } from "@/e2e/journeys/accounts";
import { findBrokenWords, findDoubleRules, getBox, groupRows } from "@/e2e/journeys/boxes";
import { expect, test, TRADER } from "@/e2e/journeys/fixtures";

/** Some pixels of a row's centre are lost when it is rounded. */
const ROUNDING_PX = 1;
const SATURDAY = "2026-11-28";
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** Records every text that the page draws on a canvas, in `drawnTexts`. */
async function recordDrawnTexts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const drawn = new Set<string>();
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
      drawn.add(text);
      return fillText.call(this, text, ...where);
    };
    Object.assign(window, { drawnTexts: drawn });
  });
  return () => page.evaluate(() => [...(window as unknown as { drawnTexts: Set<string> }).drawnTexts]);
}

for (const [size, viewport] of Object.entries(sizes)) {
  test.describe(`On a ${size}`, () => {
    test.beforeEach(async ({ trader }) => trader.setViewportSize(viewport));

    test("the credits of the plan page stay on one line", async ({ trader }) => {
      await trader.goto("/plan");
      const quotas = trader.locator("[data-quota]");
      await expect(quotas.first()).toContainText(/\d credits/);
      // As narrow as a column may become, and with long figures.
      for (const width of [320, 240, 200, 160, 140]) {
        await quotas.evaluateAll((all, px) => {
          for (const each of all as HTMLElement[]) each.style.width = `${px}px`;
        }, width);
        expect(await findBrokenWords(quotas, /[\d,]+ credits|of [\d,]+ calls/), `${width} pixels`).toEqual([]);
      }
      const costs = trader.getByRole("table", { name: "Credits that a call of each endpoint costs" });
      expect(await costs.getByRole("row").count()).toBeGreaterThan(5);
      expect(await findBrokenWords(costs.locator("td"), /^(\d+|yes|no|in part)$/)).toEqual([]);
      expect(await findBrokenWords(trader.getByRole("table", { name: "What each plan includes" }), /[\d,]+/)).toEqual(
        [],
      );
      await expectNoSidewaysScroll(trader, "/plan");
    });

    test("no two lines of the account page touch, with one session and with two", async ({ trader, spotline }) => {
      for (let sessions = 1; sessions <= 2; sessions++) {
        await trader.goto("/account");
        await expect(trader.getByRole("heading", { name: "Close your account" })).toBeVisible();
        expect(await findDoubleRules(trader.getByRole("main"))).toEqual([]);
        if (sessions === 1) await addSession(spotline, TRADER);
      }
    });

    test("the word of the weekend is above the line of the present", async ({ trader }) => {
      // The last, because the cards of the cities and the band itself have the same text.
      const word = trader
        .locator("main span")
        .filter({ hasText: /^Weekend$/ })
        .last();
      await trader.goto(`/sessions?day=${SATURDAY}`);
      const { x, width } = await getBox(word);
      const { x: left, width: whole } = await getBox(trader.locator('[data-row="Overlaps"] dd'));
      // The line is moved to the middle of the word.
      const minutes = Math.round(((x + width / 2 - left) / whole) * 24 * 60);
      const at = new Date(minutes * 60_000).toISOString().slice(11, 16);
      await trader.goto(`/sessions?day=${SATURDAY}&time=${at}`);
      const line = await getBox(trader.getByRole("slider", { name: "Time of day" }));
      const box = await getBox(word);
      const lineX = line.x + line.width / 2;
      expect(lineX).toBeGreaterThan(box.x);
      expect(lineX).toBeLessThan(box.x + box.width);
      const isOnTop = await word.evaluate((element, place) => document.elementFromPoint(place.x, place.y) === element, {
        x: lineX,
        y: box.y + box.height / 2,
      });
      expect(isOnTop).toBe(true);
      // What is behind the word does not shine through.
      expect(await word.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toMatch(
        /^rgba\(.*, 0\)$/,
      );
    });

    test("the controls of each row of the calendar have one centre", async ({ trader }) => {
      await trader.goto("/calendar?range=near");
      const toolbar = trader.getByRole("group", { name: "Days" }).locator("..");
      const boxes = await toolbar.locator("button:visible, input:visible, h2:visible").evaluateAll((all) =>
        all.map((each) => {
          const { x, y, width, height } = each.getBoundingClientRect();
          return { x, y, width, height, name: each.textContent || each.getAttribute("aria-label") };
        }),
      );
      const rows = groupRows(boxes);
      expect(boxes.length).toBeGreaterThan(20);
      expect(rows.length).toBeLessThanOrEqual(size === "desktop" ? 3 : 6);
      for (const row of rows) {
        const centres = row.map(({ y, height }) => y + height / 2);
        const names = row.map(({ name }) => name).join(", ");
        expect(Math.max(...centres) - Math.min(...centres), names).toBeLessThanOrEqual(ROUNDING_PX);
      }
      await expectNoSidewaysScroll(trader, "/calendar");
    });

    test("the axis of weekly bars names a year, and so does their table", async ({ trader }) => {
      const readDrawn = await recordDrawnTexts(trader);
      await trader.goto("/symbols/EURUSD?timeframe=W1");
      // At the end of a year, a phone shows weeks of that year only, without its name. Zooming out shows more.
      const chart = await getBox(trader.locator("canvas").first());
      await trader.mouse.move(chart.x + chart.width / 2, chart.y + chart.height / 2);
      await trader.mouse.wheel(0, 400);
      await expect
        .poll(async () => (await readDrawn()).filter((text) => /\b20\d\d$/.test(text)), { message: "years" })
        .not.toEqual([]);
      await trader.goto("/ticks?symbol=EURUSD&view=W1");
      const opened = trader.getByRole("table", { name: /^Latest bars/ }).getByRole("rowheader");
      await expect(opened.first()).toBeVisible();
      for (const text of await opened.allInnerTexts()) expect(text).toMatch(/^20\d\d-\d\d-\d\d/);
    });

    test("the table of bars is shown as a whole", async ({ trader }) => {
      for (const symbol of ["BTCUSD", "US500"]) {
        for (const view of symbol === "US500" ? ["D1"] : ["M1"]) {
          const path = `/ticks?symbol=${symbol}&view=${view}`;
          await trader.goto(path);
          const region = trader.getByRole("region", { name: `Latest bars of ${symbol}` });
          await expect(region, path).toBeVisible();
          await expectNoSidewaysScroll(trader, path);
          const place = await getBox(region);
          expect(place.x + place.width, path).toBeLessThanOrEqual(viewport.width);
          const cut = await region.evaluate((box) => {
            const { left, right } = box.getBoundingClientRect();
            return [...box.querySelectorAll<HTMLElement>("th, td")].filter((cell) => {
              const { x, width } = cell.getBoundingClientRect();
              return cell.scrollWidth > cell.clientWidth || (width > 0 && (x < left || x + width > right + 1));
            }).length;
          });
          expect(cut, path).toBe(0);
        }
      }
    });
  });
}

test("Twice the size of text, and 320 pixels, need no scrolling to the side", async ({ trader }) => {
  await trader.setViewportSize({ width: 640, height: 700 });
  await trader.goto("/docs");
  await trader.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  await expectNoSidewaysScroll(trader, "/docs");
  await trader.setViewportSize({ width: 320, height: 700 });
  await trader.goto("/spreads");
  await expectNoSidewaysScroll(trader, "/spreads");
});

test("With the colours of a contrast theme, bars are seen and the chosen page is marked", async ({ trader }) => {
  await trader.emulateMedia({ forcedColors: "active" });
  await trader.goto("/strength");
  const isSeen = (selector: string, name: "outline-style" | "background-color") =>
    trader
      .locator(selector)
      .first()
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
  expect(await isSeen("nav [aria-current=page]", "outline-style")).toBe("solid");
  await trader.goto("/overview");
  const canvas = await isSeen("body", "background-color");
  expect(await isSeen("main span.bg-up:empty, main div.bg-up:empty", "background-color")).not.toBe(canvas);
  await trader.emulateMedia({ forcedColors: null });
});
