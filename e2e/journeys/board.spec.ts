import { expect, expectConnection, expectMovingPrice, findRow, test } from "@/e2e/journeys/fixtures";

test("The board can be searched, filtered, sorted and opened with a mouse", async ({ trader: page }) => {
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  const rows = page.locator(".board-row");
  const all = await rows.count();
  expect(all).toBeGreaterThanOrEqual(100);

  await page.getByRole("textbox", { name: "Search symbols" }).fill("eur/usd");
  await expect(rows).toHaveCount(1);
  await page.getByRole("textbox", { name: "Search symbols" }).fill("dax");
  await expect(findRow(page, "GER40").row).toBeVisible();
  await expect(page).toHaveURL(/\/quotes\?q=dax$/);
  await page.getByRole("button", { name: "Clear the search" }).click();
  await expect(rows).toHaveCount(all);

  const crypto = page.getByRole("button", { name: /^Crypto/ });
  const count = Number((await crypto.textContent())?.match(/\d+/)?.[0]);
  await crypto.click();
  await expect(crypto).toHaveAttribute("aria-pressed", "true");
  await expect(rows).toHaveCount(count);
  await expect(findRow(page, "BTCUSD").row).toBeVisible();
  await page.getByRole("button", { name: /^All/ }).click();

  await page.getByRole("button", { name: "Symbol", exact: true }).click();
  await expect(page.getByRole("columnheader", { name: "Symbol" })).toHaveAttribute("aria-sort", "ascending");
  const codes = await rows.locator(".symbol-code").allTextContents();
  expect(codes).toEqual(codes.toSorted((a, b) => a.localeCompare(b, "en")));

  const { button } = findRow(page, "EURUSD");
  await button.click();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  // The address has the choices, so that they survive a reload.
  await expect(page).toHaveURL(/\/quotes\?sort=symbol&open=EURUSD$/);
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Symbol" })).toHaveAttribute("aria-sort", "ascending");
  await expect(button).toHaveAttribute("aria-expanded", "true");
  const sources = page.getByRole("region", { name: "Sources of EURUSD" });
  await expect(sources.getByRole("row")).not.toHaveCount(0);
  await expect(page.getByRole("img", { name: /Bid and ask of EURUSD/ }).locator(".recharts-line")).toHaveCount(2);
  // All rows are read at once, so that they are of the same time.
  const table = await sources
    .locator("tr")
    .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent ?? "")));
  const live = table.filter((cells) => cells[5] === "live");
  const best = table.find((cells) => cells[0]?.startsWith("Best"));
  expect(live.length).toBeGreaterThan(0);
  expect(Number(best?.[1])).toBe(Math.max(...live.map((cells) => Number(cells[1]))));
  expect(Number(best?.[2])).toBe(Math.min(...live.map((cells) => Number(cells[2]))));
  // The row and the line of its source are one quote, whenever they are read.
  const [row, served] = await sources.evaluate((region) => {
    const shown = region.closest(".board-detail")?.previousElementSibling;
    const line = [...region.querySelectorAll("tr")].find(({ textContent }) => textContent?.includes("served"));
    return [
      ["bid", "ask", "age"].map((name) => shown?.querySelector(`.cell-${name}`)?.textContent),
      [1, 2, 4].map((at) => line?.children[at]?.textContent),
    ];
  });
  expect(row).toEqual(served);
});

test("The board can be used with the keyboard only", async ({ trader: page }) => {
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  await page.keyboard.press("/");
  const search = page.getByRole("textbox", { name: "Search symbols" });
  await expect(search).toBeFocused();
  await page.keyboard.type("gold");
  await expect(page.locator(".board-row")).toHaveCount(5);
  await page.keyboard.press("Enter");
  const { button } = findRow(page, "XAUUSD");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Sources of XAUUSD" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(findRow(page, "XAUEUR").button).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Star XAUUSD" })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await expect(search).toHaveValue("");
});

test("Moving prices start no transition and no flash for visitors who prefer less motion", async ({ trader: page }) => {
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  await page.evaluate(() => addEventListener("transitionrun", () => document.body.setAttribute("data-moved", "yes")));
  await expectMovingPrice(page, "BTCUSD");
  await expect(page.locator("body")).not.toHaveAttribute("data-moved");
  for (const move of ["up", "down"]) {
    const background = await page.waitForFunction((direction) => {
      const price = document.querySelector(`.price[data-flash][data-move="${direction}"]`);
      return price && getComputedStyle(price).backgroundColor;
    }, move);
    expect(await background.jsonValue(), move).toBe("rgba(0, 0, 0, 0)");
  }
});

test("Prices are shown to signed-in visitors only", async ({ spotline }) => {
  for (const path of [
    "/live/stream?topic=board",
    "/live/now?topic=board",
    "/quotes/EURUSD/sources",
    "/quotes/lines",
    "/quotes/usual",
    "/quotes/lists",
    "/quotes/board",
    ...["bars", "marks", "panel", "chart"].map((part) => `/symbols/EURUSD/${part}`),
  ]) {
    const answer = await fetch(spotline.url + path, { redirect: "manual" });
    expect(answer.status, path).toBe(401);
    expect(await answer.text(), path).toBe('{"error":"Signed out"}');
  }
  for (const path of [
    "/quotes?q=gold",
    "/spreads?period=7d",
    "/ticks?view=M1",
    "/calendar?range=month",
    "/indicators",
    "/symbols/EURUSD",
  ]) {
    const page = await fetch(spotline.url + path, { redirect: "manual" });
    expect(page.status, path).toBe(307);
    expect(page.headers.get("location"), path).toMatch(new RegExp(`/sign-in\\?next=${encodeURIComponent(path)}$`));
    expect(await page.text(), path).not.toMatch(/\b(bid|ask)s?\b/i);
  }
});
