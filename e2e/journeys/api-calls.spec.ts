import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator } from "@playwright/test";
import { toAt, withAt } from "@/components/ui/past-address";
import { expectAccessible } from "@/e2e/journeys/accessible";
import { createKey } from "@/e2e/journeys/accounts";
import { createAccount, expect, findRow, test } from "@/e2e/journeys/fixtures";

/** The pages with panels of `/v1`, and the calls that each shows. */
const PAGES = {
  "/overview": ["/v1/sessions", "/v1/calendar", "/v1/heatmap", "/v1/heatmap", "/v1/monitor/account"],
  // More days than a call may have.
  "/calendar?range=month&date=2026-10-01": ["/v1/calendar", "/v1/calendar"],
  "/usage": ["/v1/monitor/account"],
  // More symbols than a call may name.
  "/quotes": ["/v1/quotes", "/v1/quotes"],
  "/symbols/EURUSD?indicators=RSI_14": ["/v1/ohlc", "/v1/indicator/history"],
  "/spreads": ["/v1/spread/compare", "/v1/spread"],
  "/strength": ["/v1/heatmap"],
  "/sessions": ["/v1/sessions"],
  "/indicators": ["/v1/indicators", "/v1/summary"],
  "/indicators/screener?indicator=RSI_14&min=10&max=90": ["/v1/screener"],
  "/ticks?view=ticks": ["/v1/ticks"],
  "/ticks?view=H1": ["/v1/ohlc"],
  "/data-quality": ["/v1/quality", "/v1/quality/day"],
} as const;

/** A click before the page has its scripts does nothing, and one on an open dialog cannot reach the button behind it. */
async function openDialog(button: Locator, dialog: Locator): Promise<void> {
  await expect(async () => {
    if (!(await dialog.isVisible())) await button.click({ timeout: 2_000 });
    await expect(dialog).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 30_000 });
}

test("Every panel shows its API calls as code, which a shell runs as it is", async ({
  context,
  spotline,
  signedIn,
}) => {
  // The first account is the operator's, which other journeys need, so this one is a later one.
  expect(signedIn.cookies).not.toEqual([]);
  // It loads every page of panels.
  test.setTimeout(180_000);
  const email = `panels-${test.info().retry}@example.com`;
  const page = await createAccount(context, spotline, email, "pro");
  const { secret } = await createKey(spotline, email, "panels");
  const env = { ...process.env, SPOTLINE_KEY: secret };
  for (const [address, paths] of Object.entries(PAGES)) {
    await page.goto(address);
    const dialog = page.getByRole("dialog", { name: /^API call:/ });
    await openDialog(page.getByRole("button", { name: /^API call:/ }), dialog);
    const blocks = dialog.locator("pre");
    await expect(blocks, address).toHaveCount(paths.length);
    for (const code of await blocks.allTextContents()) {
      const { stdout } = await promisify(execFile)("sh", ["-c", `${code} -s -o /dev/null -w '%{http_code} %{url}'`], {
        env,
      });
      expect(stdout, code).toMatch(/^200 /);
      expect(paths).toContain(new URL(stdout.slice(4)).pathname);
    }
  }
});

/** The pages whose calls have a second of the past, and the calls without one. */
const PAST_PAGES = {
  "/overview": ["/v1/monitor/account"],
  "/calendar?range=day": [],
  "/quotes?show=forex": [],
  "/symbols/EURUSD?timeframe=M1&indicators=RSI_14": [],
  "/spreads": [],
  "/strength": [],
  "/sessions": [],
  "/indicators?symbol=EURUSD&timeframe=M1": [],
  "/indicators/screener?indicator=RSI_14&timeframe=M5": [],
  "/ticks?symbol=EURUSD&view=ticks": [],
  "/ticks?symbol=EURUSD&view=M1": [],
} as const;

test("On a page of the past the calls give its second, and a shell gets the price that the page shows", async ({
  context,
  spotline,
  signedIn,
}) => {
  expect(signedIn.cookies).not.toEqual([]);
  test.setTimeout(180_000);
  const email = `past-panels-${test.info().retry}@example.com`;
  const page = await createAccount(context, spotline, email, "pro");
  const { secret } = await createKey(spotline, email, "past panels");
  const env = { ...process.env, SPOTLINE_KEY: secret };
  let at = "";
  await expect(async () => {
    at = toAt(Math.floor(Date.now() / 1_000) * 1_000 - 6_000);
    await page.goto(withAt("/quotes", at));
    await expect(findRow(page, "EURUSD").bid).toHaveText(/^\d/, { timeout: 2_000 });
  }).toPass({ timeout: 40_000 });
  const shown = await findRow(page, "EURUSD").bid.innerText();
  const run = async (code: string) => (await promisify(execFile)("sh", ["-c", code], { env })).stdout;
  const dialog = page.getByRole("dialog", { name: /^API call:/ });
  for (const [address, ofThePresent] of Object.entries(PAST_PAGES)) {
    await page.goto(withAt(address, at));
    await openDialog(page.getByRole("button", { name: /^API call:/ }), dialog);
    const codes = await dialog.locator("pre").allTextContents();
    expect(codes, address).not.toEqual([]);
    for (const code of codes) {
      const url = new URL(/"(http[^"]*)"/.exec(code)?.[1] ?? "");
      expect(await run(`${code} -s -o /dev/null -w '%{http_code}'`), code).toBe("200");
      const { searchParams, pathname } = url;
      const second = searchParams.get("at");
      if (second !== null) expect(second, code).toBe(at);
      // A range does not include its end.
      else if (searchParams.has("to"))
        expect(Date.parse(searchParams.get("to") ?? "") - Date.parse(at)).toBeLessThanOrEqual(1_000);
      else expect(ofThePresent, code).toContain(pathname);
    }
  }
  await page.goto(withAt("/quotes", at));
  await openDialog(page.getByRole("button", { name: /^API call:/ }), dialog);
  const { data } = JSON.parse(await run(`${await dialog.locator("pre").first().innerText()} -s`)) as {
    data: { quotes: { symbol: string; bid: number }[] };
  };
  expect(data.quotes.find(({ symbol }) => symbol === "EURUSD")?.bid.toFixed(5)).toBe(shown);
});

test("The code of a call is there in three languages, also on a phone", async ({ trader: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/strength?timeframe=D1");
  const dialog = page.getByRole("dialog");
  await openDialog(page.getByRole("button", { name: "API call: Strength" }), dialog);
  await dialog.getByRole("button", { name: "Python" }).click();
  await expect(dialog.locator("pre")).toContainText('requests.get(\n    "http');
  await dialog.getByRole("button", { name: "TypeScript" }).click();
  await expect(dialog.locator("pre")).toContainText("/v1/heatmap?type=strength&timeframe=D1");
  await expect(dialog).toContainText("2 credits");
  await expectAccessible(dialog, "the dialog of an API call");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});
