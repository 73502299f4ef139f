import { createAccount, expect, expectConnection, findRow, test } from "@/e2e/journeys/fixtures";

const ROW_CODES = ".board-row .symbol-code";

test("The board shows what each symbol did since the start of its day", async ({ trader: page }) => {
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  const { row } = findRow(page, "BTCUSD");
  await row.scrollIntoViewIfNeeded();
  await expect(row.locator(".cell-percent")).toHaveText(/^[+−]?\d+\.\d\d %$/);
  await expect(row.locator(".spark path").last()).toHaveAttribute("d", /^M[\d.]+ [\d.]+/);
  // All of a row at one moment, because prices move.
  const cells = await row.evaluate((element) => {
    const read = (name: string) => element.querySelector(`.cell-${name}`)?.textContent ?? "";
    const bounds = [...element.querySelectorAll(".day-bound")].map((each) => each.textContent ?? "");
    return { bid: read("bid"), change: read("change"), percent: read("percent"), bounds };
  });
  const toNumber = (text: string) => Number(text.replace("−", "-").replace(/[^\d.-]/g, ""));
  const [bid, change, percent] = [cells.bid, cells.change, cells.percent].map(toNumber) as [number, number, number];
  const [low, high] = cells.bounds.map(toNumber) as [number, number];
  expect(low).toBeLessThanOrEqual(bid);
  expect(high).toBeGreaterThanOrEqual(bid);
  expect(Math.abs((100 * change) / (bid - change) - percent)).toBeLessThan(0.006);
});

test("Columns, density and order are chosen, and stay on the next visit", async ({ trader: page }) => {
  await page.goto("/quotes");
  await page.getByRole("button", { name: "View" }).click();
  await page.getByRole("checkbox", { name: "Age" }).uncheck();
  await page.getByRole("radio", { name: "Compact" }).check();
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("Change %");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Age" })).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "Change %" })).toHaveAttribute("aria-sort", "ascending");
  await expect(page).toHaveURL(/sort=percent&cols=bid,ask,.*&density=compact$/);
  await page.goto("/quotes");
  await expect(page).toHaveURL(/cols=bid,ask,.*density=compact$/);
  await expect(page.getByRole("columnheader", { name: "Age" })).toHaveCount(0);
  await page.getByRole("button", { name: "View" }).click();
  await page.getByRole("checkbox", { name: "Age" }).check();
  await page.getByRole("radio", { name: "Normal" }).check();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/quotes$/);
});

test("Stars of an earlier version become the account's list, in every browser", async ({ context, spotline }) => {
  const page = await createAccount(context, spotline, "stars@example.com");
  await page.goto("/quotes");
  await page.evaluate(() => localStorage.setItem("spotline-stars", '["XAUUSD","EURUSD","GONE"]'));
  await page.reload();
  await expect(findRow(page, "XAUUSD").row.getByRole("button", { name: "Star XAUUSD" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect.poll(() => page.evaluate(() => localStorage.getItem("spotline-stars"))).toBeNull();
  // Another browser has the session only.
  await page.evaluate(() => localStorage.clear());
  await page.goto("/quotes?show=starred");
  await expect(page.locator(ROW_CODES)).toHaveText(["XAUUSD", "EURUSD"]);
});

test("A list is created, ordered, renamed, shared and deleted", async ({ context, spotline, signedIn }) => {
  const page = await createAccount(context, spotline, "lists@example.com");
  await page.goto("/quotes");
  await page.getByRole("button", { name: "List: All symbols" }).click();
  await page.getByRole("button", { name: "New list" }).click();
  await page.getByRole("button", { name: "Create list" }).click();
  await expect(page.getByText("Enter a name.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name" }).fill("Majors");
  await page.getByRole("textbox", { name: "Symbols", exact: true }).fill("OANDA:EURUSD, usdjpy\ngold, NOSUCH");
  await expect(page.getByText("Unknown and left out: NOSUCH")).toBeVisible();
  await page.getByRole("button", { name: "Create list" }).click();
  await expect(page).toHaveURL(/\?list=majors$/);
  const codes = page.locator(ROW_CODES);
  await expect(codes).toHaveText(["EURUSD", "USDJPY", "XAUUSD"]);

  await findRow(page, "XAUUSD").button.focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(codes).toHaveText(["EURUSD", "XAUUSD", "USDJPY"]);
  await expect(findRow(page, "XAUUSD").button).toBeFocused();
  await findRow(page, "USDJPY").row.dragTo(findRow(page, "EURUSD").row, { targetPosition: { x: 200, y: 4 } });
  await expect(codes).toHaveText(["USDJPY", "EURUSD", "XAUUSD"]);

  await page.getByRole("button", { name: "List: Majors" }).click();
  await page.getByRole("button", { name: "Edit Majors" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Favourites");
  await page.getByRole("button", { name: "Move USDJPY down" }).click();
  await page.getByRole("button", { name: "Remove XAUUSD" }).click();
  await expect(page.getByRole("textbox", { name: "As text" })).toHaveValue("EURUSD\nUSDJPY");
  const saved = page.waitForResponse((answer) => answer.url().endsWith("/quotes/lists"));
  await page.getByRole("button", { name: "Done" }).click();
  await saved;
  await page.reload();
  await expect(page.getByRole("button", { name: "List: Favourites" })).toBeVisible();
  await expect(codes).toHaveText(["EURUSD", "USDJPY"]);

  await page.getByRole("button", { name: "List: Favourites" }).click();
  await page.getByRole("button", { name: "Edit Favourites" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(/\/quotes$/);
  await page.close();

  await context.clearCookies();
  await context.addCookies(signedIn.cookies);
  const other = await context.newPage();
  await other.goto("/quotes?symbols=EURUSD,USDJPY&name=Favourites");
  await expect(other.getByText("A shared list: Favourites, 2 symbols.")).toBeVisible();
  await other.getByRole("button", { name: "Save to my lists" }).click();
  await expect(other).toHaveURL(/\?list=favourites$/);
  await expect(other.locator(ROW_CODES)).toHaveText(["EURUSD", "USDJPY"]);
});

test("Lists are changed by their owner's browser only", async ({ spotline, trader: page }) => {
  await page.goto("/quotes");
  const send = (body: string, headers = {}) =>
    page.request.put("/quotes/lists", {
      data: body,
      headers: { "Content-Type": "application/json", origin: spotline.url, ...headers },
    });
  expect((await send("{}", { origin: "https://example.com" })).status()).toBe(403);
  for (const body of [
    "",
    "[]",
    '{"revision":1.5}',
    '{"revision":0,"lists":[{"slug":"x","name":"X","symbols":["?"]}]}',
  ]) {
    expect((await send(body)).status(), body).toBe(400);
  }
  expect((await send(`{"revision":0,"lists":[${" ".repeat(70_000)}]}`)).status()).toBe(413);
  const anonymous = await fetch(`${spotline.url}/quotes/lists`, { method: "PUT", headers: { origin: spotline.url } });
  expect(anonymous.status).toBe(401);
});

test.describe("On a phone", () => {
  test("The headings are above their columns, and every target is large enough", async ({ trader: page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/quotes?q=eurusd");
    await expectConnection(page, "Streaming");
    for (const column of ["bid", "ask", "percent"]) {
      const [head, cell] = await Promise.all(
        [".board-row-head", ".board-row"].map((row) => page.locator(`${row} > .cell-${column}`).first().boundingBox()),
      );
      expect(head && head.x + head.width).toBeCloseTo((cell && cell.x + cell.width) ?? NaN, 0);
    }
    for (const target of await page.locator(".board button:visible").all()) {
      const box = await target.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), (await target.textContent()) ?? "").toBeGreaterThanOrEqual(
        24,
      );
    }
    await findRow(page, "EURUSD").button.click();
    const links = page.getByRole("navigation", { name: "Pages of EURUSD" }).getByRole("link");
    await expect(links).toHaveText(["Chart", "Spread", "Indicators", "Alert…", "Events of EUR and USD"]);
    await expect(links.first()).toHaveAttribute("href", "/symbols/EURUSD");
  });
});
