import { createAccount, expect, expectConnection, expectMovingPrice, findRow, test } from "@/e2e/journeys/fixtures";
import { startTestServer } from "@/e2e/support/test-server";

test("Without its stream the board polls, shows that, and returns to the stream", async ({ trader: page }) => {
  await page.route("**/quotes/stream", (route) => route.abort());
  await page.goto("/quotes");
  await expectConnection(page, "Polling");
  await expectMovingPrice(page, "EURUSD");
  await page.unroute("**/quotes/stream");
  await expectConnection(page, "Streaming");
  await expectMovingPrice(page, "EURUSD");
});

test("A stopping server closes the streams of open boards, whose prices are then not shown as live", async ({
  browser,
}) => {
  const own = await startTestServer();
  const page = await createAccount(browser, own, "watcher@example.com");
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  const { button } = findRow(page, "EURUSD");
  await button.click();
  await expect(page.getByRole("region", { name: "Sources of EURUSD" })).toContainText("live");

  const stoppedAtMs = Date.now();
  expect(await own.stop()).toBe(0);
  expect(Date.now() - stoppedAtMs).toBeLessThan(10_000);

  await expectConnection(page, "Offline");
  await expect(page.getByText(/^(live|delayed|stale|closed)$/).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: "These prices no longer update" })).toBeVisible();
  await page.context().close();
});

test("A board closes its stream while its tab is hidden, and shows new prices once it is seen again", async ({
  trader: page,
}) => {
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  const closed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/quotes/stream"));
  await setHidden(true);
  await closed;
  const opened = page.waitForRequest("**/quotes/stream");
  await setHidden(false);
  await opened;
  await expectConnection(page, "Streaming");
  await expectMovingPrice(page, "BTCUSD");
});
