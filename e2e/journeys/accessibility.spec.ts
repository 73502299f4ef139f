import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { withAccount } from "@/e2e/journeys/accounts";
import { confirmIfAsked, expect, findRow, test, TRADER } from "@/e2e/journeys/fixtures";

// Few rows, because axe takes long for each.
const CALENDAR = "/calendar?range=near&currencies=EUR";
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/** Checks the open page in both sizes, without loading it again. */
async function expectAccessibleInAllSizes(page: Page, path: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await expectAccessible(page, `${path} on a ${size}`);
    await expectNoSidewaysScroll(page, `${path} on a ${size}`);
  }
  await page.setViewportSize(SIZES.desktop);
}

test("Every page is accessible on a desktop and on a phone, in both themes", async ({
  page,
  context,
  spotline,
  signedIn,
}) => {
  // axe reads every page, some of thousands of elements, beside another journey.
  test.setTimeout(400_000);
  await page.setViewportSize(SIZES.desktop);
  for (const path of ["/", "/sign-in", "/sign-up"]) {
    await page.goto(path);
    await expectAccessibleInAllSizes(page, path);
  }
  await context.addCookies(signedIn.cookies);
  // The page of a key is checked as well.
  await page.goto("/keys/new");
  await page.getByLabel("Label").fill("Axe");
  await confirmIfAsked(page);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("I have stored this key").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.waitForURL("**/keys");
  const keyPage = (await page.getByRole("link", { name: "Axe", exact: true }).getAttribute("href")) ?? "";
  const markets = [
    "/overview",
    "/quotes",
    "/spreads",
    "/ticks",
    "/data-quality",
    "/sessions",
    CALENDAR,
    "/alerts?kind=price",
    "/strength",
    "/indicators",
    "/indicators/screener",
  ];
  const { id } = await withAccount(spotline, TRADER, ({ accountStatus }, account) =>
    accountStatus.setRole(account, "operator"),
  );
  const lists = [
    "/operator/accounts",
    "/operator/keys?shown=fxk_live_",
    "/operator/plan-requests",
    "/operator/invitations",
    "/operator/feeds",
    "/operator/import",
  ];
  const operator = ["/status", ...lists, `/operator/accounts/${id}`, `/operator${keyPage}`];
  for (const path of [
    ...markets,
    "/keys",
    "/keys/new",
    keyPage,
    "/audit",
    "/account",
    "/account/second-factor",
    "/usage",
    "/usage/requests",
    "/plan",
    "/notices",
    ...operator,
  ]) {
    await page.goto(path);
    if (path === "/quotes") {
      // Few rows, as above.
      await page.getByRole("textbox", { name: "Search symbols" }).fill("gold");
      await findRow(page, "XAUUSD").button.click();
      await expect(page.getByRole("img", { name: /^Bid and ask of XAUUSD/ }).locator(".recharts-line")).toHaveCount(2);
    }
    await expectAccessibleInAllSizes(page, path);
  }
});
