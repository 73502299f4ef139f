import { createAccount, expect, expectConnection, findRow, test } from "@/e2e/journeys/fixtures";
import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { storeInstruments } from "@/lib/feeds/instrument-store";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument, Provenance } from "@/lib/market/instrument";

/** This journey has its own server, whose catalog grows by a thousand shares. */
const ADDED = 1_000;
let spotline: Spotline;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  spotline = await startTestServer();
});
test.afterAll(async () => void (await spotline.stop()));

function addShares(): Promise<void> {
  const apple = instrumentBySymbol.get("AAPL") as Instrument;
  const provenance: Provenance = {
    ...{ category: "source", currencies: "source", digits: "source" },
    ...{ pip: "default", hours: "source", name: "source" },
  };
  const rows = Array.from({ length: ADDED }, (_, at) => {
    const symbol = `T${String(at).padStart(3, "0")}.DE`;
    return {
      ...{ symbol, source: "big" },
      fields: { ...apple, symbol, name: `Trust ${at}`, aliases: [], addedBy: { source: "big", provenance } },
    };
  });
  return withAccess(spotline.place, ({ database: { prisma } }) =>
    prisma.$transaction((transaction) => storeInstruments(transaction, rows, "keep")),
  );
}

test("An open board gets a thousand symbols, renders those near the viewport, and finds all of them", async ({
  browser,
}) => {
  const page = await createAccount(browser, spotline, "many@example.com");
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  const rows = page.locator(".board-row");
  const first = await rows.count();
  const all = page.getByRole("button", { name: /^All/ });
  await expect(all).toHaveText(`All ${first}`);

  await addShares();
  await expect(all).toHaveText(`All ${first + ADDED}`);
  await expect(page.getByRole("button", { name: /^Stocks/ })).toHaveText(/Stocks 1,?0\d\d/);
  await expect.poll(() => rows.count()).toBeLessThan(300);
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", String(first + ADDED + 1));

  // The last row is there once it is reached, and the keyboard walks on from it.
  await page.keyboard.press("End");
  const last = findRow(page, `T${ADDED - 1}.DE`);
  await expect(last.row).toBeInViewport();
  await last.button.focus();
  for (let at = 0; at < 60; at++) await page.keyboard.press("ArrowUp");
  await expect(findRow(page, `T${ADDED - 61}.DE`).button).toBeFocused();

  await page.keyboard.press("/");
  await page.keyboard.type("t777.de");
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(findRow(page, "T777.DE").button).toBeFocused();

  await page.goto("/ticks");
  const select = page.getByRole("combobox", { name: "Symbol", exact: true });
  await select.fill("trust");
  await expect(page.getByRole("option")).toHaveCount(20);
  await expect(page.getByRole("group", { name: /^Stocks/ })).toContainText(String(ADDED));
  await select.fill("t999de");
  await select.press("Enter");
  await expect(page).toHaveURL(/symbol=T999\.DE/);
  await page.context().close();
});
