import { expectAccessible } from "@/e2e/journeys/accessible";
import { expect, expectMovingPrice, test } from "@/e2e/journeys/fixtures";

const MARKET_PAGES = [
  ["/overview", "Overview"],
  ["/quotes", "Quotes"],
  ["/screens", "Screens"],
  ["/spreads", "Spreads"],
  ["/symbols/EURUSD", "EURUSD"],
  ["/ticks", "Ticks"],
  ["/sessions", "Sessions"],
  ["/calendar", "Calendar"],
  ["/strength", "Strength"],
  ["/indicators", "Indicators"],
  ["/indicators/screener", "Screener"],
] as const;
const CLOSED_PAGES = ["/keys", "/keys/new", "/usage", "/usage/requests", "/plan", "/audit", "/notices", "/account"];
const CLOSED_DATA = [
  "/usage/data",
  "/usage/csv",
  "/usage/requests/csv",
  "/audit/csv",
  "/notices/count",
  "/quotes/lists",
  "/calendar/feeds",
  "/operator/feeds/data",
  "/operator/import/data",
];

test("A visitor looks around without an account, sees live prices on every page of the markets, and leaves", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Look around" }).click();
  await page.waitForURL("**/overview");
  const pages = page.getByRole("navigation", { name: "Main" }).first();
  await expect(pages.getByRole("link", { name: "Quotes" })).toBeVisible();
  await expect(pages.getByRole("link", { name: "API keys" })).toHaveCount(0);
  for (const [path, title] of MARKET_PAGES) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
    expect(new URL(page.url()).pathname).toBe(path);
  }
  await page.goto("/quotes");
  await expectMovingPrice(page, "EURUSD");
  await page.getByRole("button", { name: "Account menu" }).first().click();
  await page.getByRole("button", { name: "Leave the demo" }).first().click();
  await expect(page.getByRole("button", { name: "Look around" })).toBeVisible();
  await page.goto("/quotes");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fquotes/);
});

test("The demo shows nothing of accounts, and changes lead to sign-in", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Look around" }).press("Enter");
  await page.waitForURL("**/overview");
  for (const path of CLOSED_PAGES) {
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(307);
    expect(answer.headers()["location"], path).toMatch(/\/sign-in\?next=/);
  }
  await page.goto("/account");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page.getByText("The demo shows the markets only.")).toBeVisible();
  for (const path of CLOSED_DATA) expect((await page.request.get(path)).status(), path).toBe(401);
  expect((await page.request.get("/operator/accounts", { maxRedirects: 0 })).status()).toBe(307);
});

test("The account menu of the demo is accessible on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("button", { name: "Look around" }).click();
  await page.waitForURL("**/overview");
  await page.getByRole("button", { name: "Account menu, Demo" }).click();
  await expectAccessible(page.getByRole("banner"), "the menu of the demo");
});
