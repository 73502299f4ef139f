import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { expect, signUp, test } from "@/e2e/journeys/fixtures";
import { withAccess } from "@/e2e/support/access";

/** Too long for one line. */
const LABEL = "Desk and pricing service of the office in the city of London";

test("The calls of a key are on the usage page of its owner only", async ({ browser, spotline, trader: other }) => {
  const email = "counter@example.com";
  const page = await signUp(browser, spotline.url, email);
  await page.goto("/usage");
  await expect(page.getByRole("heading", { name: "No calls" })).toBeVisible();

  const place = { SPOTLINE_DATA_DIR: spotline.dataDir };
  const { id, secret } = await withAccess(place, async ({ accounts, keys }) => {
    const account = await accounts.findByEmail(email);
    const accountId = account?.id ?? "";
    await accounts.setLimits(accountId, { perDay: 6 });
    return keys.create({ accountId, label: LABEL, scopes: ["all"] });
  });
  const call = async (path: string) => (await fetch(spotline.url + path, { headers: { "X-API-Key": secret } })).status;
  expect(await call("/v1/quote?symbol=EURUSD")).toBe(200);
  expect(await call("/v1/quote?symbol=EURUSD")).toBe(200);
  expect(await call("/v1/sessions")).toBe(200);
  expect(await call("/v1/quote?symbol=NOPE")).toBe(404);
  // The open page shows the counters that limit the calls.
  await expect(page.locator("[data-quota]").first()).toContainText("3of 6 calls today · 3 credits");
  await expect(page.getByRole("meter", { name: /^Desk .* this minute$/ })).toHaveAttribute("aria-valuenow", "4");
  await expect(page.locator("[data-quota='This minute']")).toContainText(/4 of 30Resets in \d+ s/);
  // The sums and the chart follow on the open page, which had no calls.
  const total = (outcome: string) => page.locator("main dl > div").filter({ hasText: outcome }).locator("dd");
  await expect(total("Answered")).toHaveText("3");
  await expect(total("Refused")).toHaveText("1");
  await expect(total("Over a limit")).toHaveText("0");
  await expect(total("Credits")).toHaveText("3");
  await expect(
    page
      .getByRole("img", { name: /^Calls/ })
      .locator(".recharts-bar-rectangle path")
      .first(),
  ).toBeVisible();
  await page.getByText("Chart figures as a table").click();
  await expectAccessible(page, "/usage with calls");
  await expectNoSidewaysScroll(page, "/usage with calls");
  await expect(page.getByRole("table", { name: "Calls over time" }).getByRole("row")).toHaveCount(25);
  const byEndpoint = page.getByRole("table", { name: "Calls by endpoint" }).getByRole("row");
  await expect(byEndpoint.filter({ hasText: "/v1/quote" }).getByRole("cell")).toHaveText(["2", "1", "0", "0", "2"]);

  await page.getByLabel("Endpoint", { exact: true }).selectOption("/v1/sessions");
  await page.waitForURL(/endpoint=.*sessions/);
  await expect(total("Answered")).toHaveText("1");
  await expect(total("Credits")).toHaveText("1");
  await page.getByRole("link", { name: "7 days" }).click();
  await page.waitForURL("**/usage?period=7d&endpoint=/v1/sessions");
  await expect(page.getByLabel("Endpoint", { exact: true })).toHaveValue("/v1/sessions");
  await page.goto(`/usage?key=${id}`);
  await expect(total("Answered")).toHaveText("3");
  const csv = await (await page.request.get(`/usage/csv?key=${id}`)).text();
  expect(csv).toMatch(/^hour,key_id,key,endpoint,status,calls,credits\r\n/);
  expect(csv).toContain(`${id},${LABEL},/v1/quote,200,2,2\r\n`);

  for (const path of [`/usage?key=${id}`, `/usage/csv?key=${id}`, `/usage/data?key=${id}`]) {
    const answer = await other.request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(await answer.text()).not.toContain("Desk");
  }
  for (const path of ["/usage/csv", "/usage/limits", "/usage/data"]) {
    expect(await (await other.request.get(path)).text(), path).not.toContain(id);
  }
  for (const path of ["/usage/limits", "/usage/data"]) expect((await fetch(spotline.url + path)).status).toBe(401);

  await page.goto("/plan");
  await expect(page.locator("[data-quota]").first()).toContainText("3of 6 calls today · 3 credits");
  await expect(page.getByRole("meter", { name: /calls used today$/ })).toHaveAttribute("aria-valuenow", "3");

  const countNew = async (): Promise<unknown> => (await page.request.get("/notices/count")).json();
  // The operator has created a key for the account.
  await expect.poll(countNew, { timeout: 10_000 }).toEqual({ count: 2 });
  await page.goto("/quotes");
  await page.getByRole("link", { name: "Notices, 2 new" }).click();
  await expect(page.getByRole("heading", { name: "50 % of the calls of the day are used" })).toBeVisible();
  await page.getByRole("button", { name: /^Dismiss\b.*50 %/ }).click();
  await page.getByRole("button", { name: /^Dismiss\b.*A key was created/ }).click();
  await expect(page.getByRole("button", { name: /^Dismiss/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Notices", exact: true })).toBeVisible();
  expect(await countNew()).toEqual({ count: 0 });
  await page.context().close();
});
