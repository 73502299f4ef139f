import type { Page } from "@playwright/test";
import { expect, expectConnection, findRow, test } from "@/e2e/journeys/fixtures";

/** Marks every word of a translated text. */
const MARK = "ŧ";
/** How places of figures end, which are not translated. */
const FIGURE = " (figure)";

/**
 * Translates the open page as a browser's translator does: each text outside of what must not be translated is replaced
 * by elements with other words, one or two, which leaves the text that React knows outside of the document. New texts follow soon.
 */
function translatePage(mark: string): void {
  const SKIPPED = "[translate=no], .notranslate, script, style, noscript, textarea, svg, font";
  const queue = new Set<Text>();
  let isWaiting = false;

  function find(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode()) {
      if (node instanceof Text && /\p{L}|\d/u.test(node.data)) queue.add(node);
    }
  }

  function wrap(words: string): Element {
    const outer = document.createElement("font");
    const inner = outer.appendChild(document.createElement("font"));
    inner.textContent = words.replaceAll(/\p{L}+|\d+/gu, `${mark}$&`);
    return outer;
  }

  function replace(): void {
    isWaiting = false;
    for (const text of queue) {
      if (!text.isConnected || text.parentElement?.closest(SKIPPED) !== null) continue;
      if (text.data.length % 2 === 0) {
        text.parentNode?.insertBefore(wrap(text.data), text);
        text.remove();
      } else text.replaceWith(wrap(text.data.slice(0, 1)), wrap(text.data.slice(1)));
    }
    queue.clear();
  }

  find(document.body);
  replace();
  document.documentElement.classList.add("translated-ltr");
  document.documentElement.lang = "de";
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) find(node);
    if (!isWaiting) setTimeout(replace, 100);
    isWaiting = true;
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}

interface Texts {
  /** The text that each element has itself, by the element's place in the document, without the translator's words. */
  readonly texts: Readonly<Record<string, string>>;
  /** Figures that were translated. */
  readonly figures: readonly string[];
}

function readTexts(mark: string): Texts {
  const FIGURE = " (figure)";
  const texts: Record<string, string> = {};
  const figures = [...document.querySelectorAll("font > font")]
    .map((font) => font.closest(":not(font)"))
    .filter((each) => each !== null && each.closest("thead, #recharts_measurement_span") === null)
    .filter((each) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(each?.textContent.replaceAll(mark, "") ?? ""))
    .map((each) => `${each?.outerHTML.slice(0, 300)}`);
  function visit(element: Element, place: string): string {
    let own = "";
    const counts: Record<string, number> = {};
    for (const node of element.childNodes) {
      if (node instanceof Text) own += node.data;
      if (!(node instanceof Element) || ["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"].includes(node.tagName)) continue;
      // What is left of a text is part of its element.
      if (node.tagName === "FONT") own += node.textContent;
      else {
        const count = (counts[node.tagName] = (counts[node.tagName] ?? 0) + 1);
        visit(node, `${place} ${node.tagName}${count}`);
      }
    }
    const text = own.replaceAll(mark, "").replaceAll(/\s+/g, " ").trim();
    if (text !== "") texts[element.closest("[translate=no]") === null ? place : `${place}${FIGURE}`] = text;
    return own;
  }
  visit(document.body, "");
  return { texts, figures };
}

/** How long two pages are compared, and at most until something on both has moved. */
const WATCH_MS = 3_000;
const MOST_WATCH_MS = 20_000;

/** What a page has shown: the values of each place, the newest last. */
class Watched {
  readonly values = new Map<string, Set<string>>();
  readonly figures = new Set<string>();
  now: Texts["texts"] = {};

  constructor(readonly page: Page) {}

  async read(): Promise<void> {
    const { texts, figures } = await this.page.evaluate(readTexts, MARK);
    this.now = texts;
    for (const figure of figures) this.figures.add(figure);
    for (const [place, text] of Object.entries(texts)) {
      this.values.set(place, (this.values.get(place) ?? new Set()).add(text));
    }
  }
}

/** Pages that poll read other moments, and show other figures, but the same words around them. */
const kind = (text: string | undefined) => text?.replaceAll(/[\d,.]+/g, "9").replaceAll(/[+−] ?9/g, "9");

/** Says where a translated page shows other words now, and where it has shown one text while the other page changed. */
function findWrong(untouched: Watched, translated: Watched): string[] {
  const wrong: string[] = [];
  for (const [place, values] of untouched.values) {
    const [right, shown] = [untouched.now[place], translated.now[place]];
    // Ranked codes differ between two polls.
    if (!place.endsWith(FIGURE) && kind(right) !== kind(shown)) wrong.push(`${place}: ${shown}, not ${right}`);
    // Another text that was there for a moment may have passed between two readings.
    const isStill = values.size > 1 && (translated.values.get(place)?.size ?? 0) < 2;
    if (isStill && right !== shown) wrong.push(`${place}: still ${shown}`);
  }
  return wrong.slice(0, 20);
}

/** Opens an address twice, translates one page, and expects that it goes on to show what the other one shows. */
async function expectSameTexts(open: () => Promise<Page>, path: string): Promise<void> {
  const [untouched, translated] = [new Watched(await open()), new Watched(await open())];
  const errors: string[] = [];
  translated.page.on("pageerror", (error) => errors.push(String(error)));
  await untouched.page.goto(path);
  await translated.page.goto(path);
  await translated.page.evaluate(translatePage, MARK);
  const startMs = Date.now();
  const readBoth = () => Promise.all([untouched.read(), translated.read()]);
  const hasMoved = ({ values }: Watched) => [...values.values()].some(({ size }) => size > 1);
  const isEnough = () => hasMoved(untouched) && hasMoved(translated) && Date.now() > startMs + WATCH_MS;
  while (!isEnough() && Date.now() < startMs + MOST_WATCH_MS) {
    await readBoth();
    await translated.page.waitForTimeout(200);
  }
  // The slowest page asks for new figures every 15 seconds.
  const options = { message: `What a translated ${path} shows wrongly`, timeout: 40_000 };
  await expect.poll(() => readBoth().then(() => findWrong(untouched, translated)), options).toEqual([]);
  expect(hasMoved(untouched), `Some text of ${path} moved`).toBe(true);
  expect([...translated.figures], `Figures of ${path} that are translated`).toEqual([]);
  // A part that was translated before its script ran is rendered again, which React reports.
  expect(errors.filter((error) => !error.includes("#418"))).toEqual([]);
  await untouched.page.close();
  await translated.page.close();
}

const LIVE = [
  ["/overview", "/status"],
  ["/quotes?open=EURUSD", "/calendar"],
  ["/symbols/EURUSD", "/alerts?kind=price"],
  ["/spreads?symbols=EURUSD", "/sessions"],
  ["/strength", "/indicators"],
] as const;

for (const paths of LIVE) {
  test(`Translated, pages go on to show what the others show: ${paths.join(", ")}`, async ({ context, signedIn }) => {
    await context.addCookies(signedIn.cookies);
    await Promise.all(paths.map((path) => expectSameTexts(() => context.newPage(), path)));
  });
}

test("A visitor's translated page shows the quote of now", async ({ page, context }) => {
  await page.close();
  await expectSameTexts(() => context.newPage(), "/");
});

test("A translated board can be searched, sorted and opened without an error", async ({ trader: page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  await page.evaluate(translatePage, MARK);
  const rows = page.locator(".board-row");
  const { button, row } = findRow(page, "EURUSD");
  await button.click();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  for (const column of ["Symbol", "Spread"]) {
    await page
      .getByRole("columnheader", { name: new RegExp(column.replaceAll(/^/g, MARK)) })
      .getByRole("button")
      .click();
  }
  await page.getByRole("textbox").first().fill("dax");
  await expect(rows).toHaveCount(1);
  await page.getByRole("textbox").first().fill("");
  await expect(row).toBeVisible();
  expect(errors).toEqual([]);
});

test("A translated form sends the code that was chosen", async ({ trader: page }) => {
  await page.goto("/indicators/screener");
  await page.evaluate(translatePage, MARK);
  await page.locator("select[name=timeframe]").selectOption({ index: 5 });
  await page.locator("main form button[type=submit]").click();
  await expect(page).toHaveURL(/timeframe=H4&/);
});
