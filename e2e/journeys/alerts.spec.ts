import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { addAlerts, button, row, sizes } from "@/e2e/journeys/alerts-scene";
import { createAccount, expect, test } from "@/e2e/journeys/fixtures";

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: ReturnType<Page["locator"]>): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press("Tab");
    if (await element.evaluate((each) => each === document.activeElement)) return;
  }
  await expect(element).toBeFocused();
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`An alert is created, edited, paused and deleted with the keyboard on a ${size}`, async ({
    context,
    spotline,
  }) => {
    const page = await createAccount(context, spotline, `alerts-${size}@example.com`);
    await page.setViewportSize(viewport);
    await page.goto("/alerts");
    await expect(page.getByText("No alerts yet")).toBeVisible();
    if (size === "phone") {
      await tabTo(page, page.getByRole("main").getByRole("link", { name: "Create alert" }));
      await page.keyboard.press("Enter");
    }
    const level = page.getByLabel("Level", { exact: true });
    await expect(level).toBeVisible();
    await tabTo(page, level);
    await page.keyboard.press("Enter");
    await expect(page.getByText("The level must be a number.")).toBeVisible();
    await expect(level).toBeFocused();
    await page.keyboard.type("2.5");
    await expect(page.getByText(/% above the bid now/)).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Alert created")).toBeVisible();
    const created = row(page, "bid crosses 2.50000");
    await expect(created).toContainText("armed");
    await expect(created).toContainText(/\d\.\d{5}level \d+\.\d\d % above/);
    await expect(page.getByText("1 of")).toBeVisible();

    await tabTo(page, created.getByRole("link", { name: /^Edit/ }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Edit alert" })).toBeVisible();
    await expect(level).toHaveValue("2.50000");
    await level.fill("2.6");
    await level.press("Enter");
    const edited = row(page, "bid crosses 2.60000");
    await expect(edited).toContainText("armed");
    await tabTo(page, edited.getByRole("button", { name: /^Pause/ }));
    await page.keyboard.press("Enter");
    await expect(edited).toContainText("paused");
    await edited.getByRole("button", { name: /^Resume/ }).press("Enter");
    await expect(edited).toContainText("armed");
    await expectAccessible(page.getByRole("main"), `/alerts on a ${size}`);
    await expectNoSidewaysScroll(page, `/alerts on a ${size}`);
    await edited.getByRole("link", { name: /^Delete/ }).press("Enter");
    await tabTo(page, button(page, "Delete alert"));
    await page.keyboard.press("Enter");
    await expect(page.getByText("No alerts yet")).toBeVisible();
  });
}

for (const locale of ["de-DE", "en-US"]) {
  test(`A level that is typed with a comma or a point is read as meant in a browser of ${locale}`, async ({
    browser,
    spotline,
  }) => {
    const context = await browser.newContext({ baseURL: spotline.url, locale });
    const page = await createAccount(context, spotline, `alerts-${locale.toLowerCase()}@example.com`);
    await page.goto("/alerts?kind=price&symbol=EURUSD");
    const level = page.getByLabel("Level", { exact: true });
    const type = async (text: string) => {
      await level.fill("");
      await level.pressSequentially(text);
    };
    await type("2,0850");
    await expect(page.getByText(/^Read as 2\.085\. \d+\.\d\d % above the bid now\.$/)).toBeVisible();
    await level.press("Enter");
    await expect(row(page, "bid crosses 2.08500")).toContainText("armed");
    // Two thousand is far from any price of this symbol.
    await type("2,185");
    await level.press("Enter");
    await expect(row(page, "bid crosses 2.18500")).toContainText("armed");
    await type("9.1.8");
    await level.press("Enter");
    await expect(page.getByText("The level must be a number.")).toBeVisible();
    await expect(level).toHaveValue("9.1.8");

    await page.goto("/alerts?kind=price&symbol=XAGUSD");
    // The price of an ounce is thirty times more than the one and thirty times less than the other.
    await type("1,234");
    await level.press("Enter");
    await expect(page.getByText("The level can be read as 1.234 or as 1234; write 1.2340 or 1234.")).toBeVisible();
    await context.close();
  });
}

test("Every kind of alert can be created, and the pages of symbols and events lead to the form", async ({
  context,
  spotline,
}) => {
  const trader = await createAccount(context, spotline, "kinds@example.com", "pro");
  await trader.goto("/symbols/GBPJPY");
  await trader.getByRole("link", { name: "Alert…" }).click();
  await expect(trader).toHaveURL("/alerts?kind=price&symbol=GBPJPY");
  await expect(trader.getByLabel("Symbol", { exact: true })).toHaveValue("GBPJPY");
  const kinds = [
    ["Move in %", "GBPJPY moves by 0.5 % within 60 minutes"],
    ["Wide spread", "GBPJPY spread is above its usual"],
    ["State", "GBPJPY becomes stale"],
    ["Release", "A figure is published: high impact"],
    ["Event due", "An event is due in 15 minutes: high impact"],
  ] as const;
  for (const [kind, words] of kinds) {
    await trader.goto("/alerts?symbol=GBPJPY");
    await trader.getByRole("radio", { name: kind }).press("Space");
    await expect(trader.getByLabel("Level", { exact: true })).toHaveCount(0);
    await button(trader, "Create alert").click();
    await expect(row(trader, words.replace("GBPJPY ", ""))).toContainText("armed");
  }
  await trader.goto("/calendar?range=near&currencies=USD,EUR");
  const event = trader.locator("tr[data-line=event]").getByRole("button").last();
  await event.click();
  await trader.getByRole("link", { name: "Alert…" }).click();
  await expect(trader).toHaveURL(/\/alerts\?kind=(release|upcoming)&currencies=(USD|EUR)/);
  await expect(trader.getByLabel("Words in the title")).toHaveValue(/\w/);
  await trader.goto("/quotes");
  const link = trader.getByRole("navigation", { name: "Pages of EURUSD" }).getByRole("link", { name: "Alert…" });
  await button(trader, /^EURUSD\b/).click();
  await expect(link).toBeVisible();
  await expect(link).toHaveAttribute("href", "/alerts?kind=price&symbol=EURUSD");
  await trader.keyboard.press("Escape");
  await trader.goto("/keys");
  await expect(async () => {
    // Before its script runs, the page has no shortcuts.
    await trader.keyboard.press("g");
    await trader.keyboard.press("a");
    await expect(trader).toHaveURL("/alerts", { timeout: 2_000 });
  }).toPass();
});

test("The page names the limits of the plan, and the plans with more", async ({ context, spotline }) => {
  const email = "limits@example.com";
  const page = await createAccount(context, spotline, email);
  await addAlerts(spotline, email, [{}, {}, {}, {}]);
  await page.goto("/alerts?kind=release");
  await expect(page.getByText("4 of 5 active alerts of the Free plan")).toBeVisible();
  await expect(page.getByText("It is included in Starter, Pro and Enterprise.")).toBeVisible();
  await button(page, "Create alert").click();
  await expect(page.getByText("Your plan does not include released figures.")).toBeVisible();
  await addAlerts(spotline, email, [{}]);
  await page.goto("/alerts?kind=price&level=2");
  await expect(page.getByText("Pay as you go has 50.")).toBeVisible();
  await button(page, "Create alert").click();
  await expect(page.getByText("Your plan allows 5 active alerts. Pause or delete one.")).toBeVisible();
  await expectAccessible(page.getByRole("main"), "/alerts at its limit");
});
