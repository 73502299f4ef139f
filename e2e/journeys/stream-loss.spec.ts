import { connectAlone, expectConnection, expectMovingPrice, test } from "@/e2e/journeys/fixtures";

test("Without its stream the board polls, shows that, and returns to the stream", async ({ trader: page }) => {
  await connectAlone(page);
  await page.route("**/live/stream?*", (route) => route.abort());
  await page.goto("/quotes");
  await expectConnection(page, "Polling");
  await expectMovingPrice(page, "EURUSD");
  await page.unroute("**/live/stream?*");
  await expectConnection(page, "Streaming");
  await expectMovingPrice(page, "EURUSD");
});

test("A board closes its stream while its tab is hidden, and shows new prices once it is seen again", async ({
  trader: page,
}) => {
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await connectAlone(page);
  await page.goto("/quotes");
  await expectConnection(page, "Streaming");
  const closed = page.waitForEvent("requestfailed", (request) => request.url().includes("/live/stream?"));
  await setHidden(true);
  await closed;
  const opened = page.waitForRequest("**/live/stream?*");
  await setHidden(false);
  await opened;
  await expectConnection(page, "Streaming");
  await expectMovingPrice(page, "BTCUSD");
});
