import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { createKey, withAccount } from "@/e2e/journeys/accounts";
import { expect, findRow, test, TRADER } from "@/e2e/journeys/fixtures";

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

interface Ids {
  readonly account: string;
  readonly key: string;
}

const GROUPS: Readonly<Record<string, (ids: Ids) => readonly string[]>> = {
  "that anyone reads": () => ["/", "/sign-in", "/sign-up"],
  "of the documentation": () => [
    "/docs",
    "/docs/limits-and-credits",
    "/docs/errors",
    "/docs/reference/ohlc",
    "/docs/reference/quotes",
  ],
  "of prices": () => [
    "/overview",
    "/quotes",
    "/symbols/EURUSD?indicators=SMA_20,RSI_14",
    "/screens",
    "/spreads",
    "/ticks",
    "/data-quality",
  ],
  "of the market": () => [
    "/sessions",
    CALENDAR,
    "/alerts?kind=price",
    "/strength",
    "/indicators",
    "/indicators/screener",
  ],
  "of an account": ({ key }) => [
    "/keys",
    "/keys/new",
    `/keys/${key}`,
    "/audit",
    "/account",
    "/account/second-factor",
    "/usage",
    "/usage/requests",
    "/plan",
    "/notices",
  ],
  "of the operator": ({ account, key }) => [
    "/status",
    "/operator/accounts",
    "/operator/keys?shown=fxk_live_",
    "/operator/plan-requests",
    "/operator/invitations",
    "/operator/feeds",
    "/operator/import",
    `/operator/accounts/${account}`,
    `/operator/keys/${key}`,
  ],
};

const PUBLIC = ["that anyone reads", "of the documentation"];

for (const [name, listPaths] of Object.entries(GROUPS)) {
  test(`Every page ${name} is accessible on a desktop and on a phone, in both themes, and the content-security policy refuses nothing`, async ({
    page,
    context,
    spotline,
    signedIn,
  }) => {
    // axe reads pages, some of thousands of elements, beside another journey.
    test.setTimeout(300_000);
    await page.setViewportSize(SIZES.desktop);
    if (!PUBLIC.includes(name)) await context.addCookies(signedIn.cookies);
    // The first account is the operator's.
    const account = await withAccount(spotline, TRADER, (_, id) => Promise.resolve(id));
    const { id: key } = await createKey(spotline, TRADER, "Axe");
    const refused: string[] = [];
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text());
    });
    for (const path of listPaths({ account, key })) {
      await page.goto(path);
      if (path === "/quotes") {
        // Few rows, as above.
        await page.getByRole("textbox", { name: "Search symbols" }).fill("gold");
        await findRow(page, "XAUUSD").button.click();
        await expect(page.getByRole("img", { name: /^Bid and ask of XAUUSD/ }).locator(".recharts-line")).toHaveCount(
          2,
        );
      }
      await expectAccessibleInAllSizes(page, path);
    }
    if (name === "of the operator") for (const path of ["/operator/terminals", "/no-such-page"]) await page.goto(path);
    expect(refused).toEqual([]);
  });
}
