import { expect, test } from "@/e2e/journeys/fixtures";

test("A visitor without an account sees one simulated quote that moves, and nothing more", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("One JSON API out");
  await expect(page.getByText("Simulated", { exact: true })).toBeVisible();
  const call = page.getByLabel("A call and its answer");
  const before = (await call.textContent()) ?? "";
  expect(before).toMatch(/"symbol": "EURUSD"[^]*"bid": 1\.\d+/);
  await expect(call).not.toHaveText(before);
  await expect(page.getByRole("link", { name: "Documentation" })).toHaveAttribute("href", "/docs");
  const other = await page.request.get("/landing/quote?symbol=GBPUSD");
  expect(await other.json()).toMatchObject({ symbol: "EURUSD", mode: "simulated" });
});

test("While the network is down, a navigation says so, and nothing is stored", async ({
  browser,
  spotline,
  signedIn,
}) => {
  const context = await browser.newContext({
    baseURL: spotline.url,
    storageState: signedIn,
    serviceWorkers: "allow",
  });
  const page = await context.newPage();
  await page.goto("/keys");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  expect((await page.request.get("/sw.js")).headers()["cache-control"]).toBe("no-cache");
  await context.setOffline(true);
  await page.goto("/plan");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Spotline cannot be reached");
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plan");
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await context.close();
});
