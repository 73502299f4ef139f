import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { withAccount } from "@/e2e/journeys/accounts";
import { createAccount, expect, test } from "@/e2e/journeys/fixtures";
import { withAccess } from "@/e2e/support/access";

/** Too long for one line. */
const LABEL = "Desk and pricing service of the office in the city of London";

test("The calls of a key are on the usage page of its owner only", async ({
  context,
  spotline,
  signedIn,
  playwright,
}) => {
  const email = "counter@example.com";
  const page = await createAccount(context, spotline, email);
  await page.goto("/usage");
  await expect(page.getByRole("heading", { name: "No calls" })).toBeVisible();

  const { place } = spotline;
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
      .locator("[data-bar]")
      .first(),
  ).toBeVisible();
  await page.getByText("Chart figures as a table").click();
  await expectAccessible(page.getByRole("main"), "/usage with calls");
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

  const other = await playwright.request.newContext({ baseURL: spotline.url, storageState: signedIn });
  for (const path of [`/usage?key=${id}`, `/usage/csv?key=${id}`, `/usage/data?key=${id}`]) {
    const answer = await other.get(path);
    expect(answer.status(), path).toBe(404);
    expect(await answer.text()).not.toContain("Desk");
  }
  for (const path of ["/usage/csv", "/usage/limits", "/usage/data"]) {
    expect(await (await other.get(path)).text(), path).not.toContain(id);
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
  await other.dispose();
});

test("The request log answers why a call was refused, to its owner and the operator only", async ({
  context,
  spotline,
}) => {
  const email = "refused@example.com";
  const page = await createAccount(context, spotline, email);
  await page.goto("/usage");
  await page.getByRole("link", { name: "Request log" }).click();
  await expect(page.getByRole("heading", { name: "No calls in the last week" })).toBeVisible();

  const { place } = spotline;
  const { accountId, desk, office } = await withAccess(place, async ({ accounts, keys }) => {
    const accountId = (await accounts.findByEmail(email))?.id ?? "";
    const create = (label: string, more: object = {}) => keys.create({ accountId, label, scopes: ["all"], ...more });
    const office = await create("Office", { addresses: ["203.0.113.0/24"] });
    return { accountId, desk: await create("Desk"), office };
  });
  const call = async (path: string, { secret }: { secret: string }) => {
    const answer = await fetch(spotline.url + path, { headers: { "X-API-Key": secret } });
    return answer.headers.get("X-Request-Id") ?? "";
  };
  await call("/v1/quote?symbol=EURUSD", desk);
  await call("/v1/quote?symbol=NOPE", desk);
  const refused = await call("/v1/quote?symbol=GBPUSD", office);
  const rows = page.getByRole("table", { name: "Calls, newest first" }).locator("tbody tr");
  // The open page follows.
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText("403IP_NOT_ALLOWED");
  await expect(rows.first()).toContainText("/v1/quoteGBPUSD");
  await expectAccessible(page.getByRole("main"), "/usage/requests with calls");
  await expectNoSidewaysScroll(page, "/usage/requests with calls");

  await page.getByRole("link", { name: /^IP_NOT_ALLOWED/ }).click();
  await page.waitForURL("**/usage/requests?code=IP_NOT_ALLOWED");
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole("region", { name: "What IP_NOT_ALLOWED means" })).toContainText("allow-list");
  await page.goto("/usage/requests");
  await page.getByLabel("Key", { exact: true }).selectOption({ label: `Desk …${desk.last4}` });
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: "Refused", exact: true }).click();
  await expect(rows).toHaveCount(1);
  await page.goto("/usage/requests");
  await page.getByRole("searchbox", { name: /request id/ }).fill(refused);
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`text=${refused}`));
  await expect(rows).toHaveCount(1);
  await rows.first().getByRole("link").click();
  await page.waitForURL(`**/usage/requests/${refused}`);
  await expect(page.getByText("This API key may not be used from this address.")).toBeVisible();
  await expectAccessible(page.getByRole("main"), "/usage/requests/ID");
  await expectNoSidewaysScroll(page, "/usage/requests/ID");
  await page.getByRole("link", { name: "Open the key" }).click();
  await expect(page.getByRole("heading", { name: "Office", level: 1 })).toBeVisible();
  await page.goto("/usage/requests?text=nothing");
  await expect(page.getByRole("heading", { name: "No call matches" })).toBeVisible();

  const csv = await (await page.request.get("/usage/requests/csv?code=IP_NOT_ALLOWED")).text();
  expect(csv).toMatch(/^time,request_id,key_id,key,/);
  expect(csv.trim().split("\r\n")).toHaveLength(2);
  await page.close();
  // The first account is an operator, and other journeys make the trader one.
  const stranger = await createAccount(context, spotline, "stranger@example.com");
  const paths = ["/usage/requests", "/usage/requests/csv", "/usage/requests/data", `/usage/requests/${refused}`];
  for (const path of paths) {
    const answer = await stranger.request.get(`${path}?account=${accountId}`);
    expect(answer.status(), path).toBe(404);
    expect(await answer.text()).not.toContain("IP_NOT_ALLOWED");
    expect(await (await stranger.request.get(path)).text(), path).not.toContain("IP_NOT_ALLOWED");
  }
  for (const path of paths.slice(1, 3)) expect((await fetch(spotline.url + path)).status).toBe(401);
  expect((await stranger.request.get(`/usage/requests?key=${desk.id}`)).status()).toBe(404);
  const operator = await createAccount(context, spotline, "log-operator@example.com");
  await withAccount(spotline, "log-operator@example.com", ({ accountStatus }, id) =>
    accountStatus.setRole(id, "operator"),
  );
  await operator.goto(`/operator/accounts/${accountId}`);
  await operator.getByRole("link", { name: "Request log" }).click();
  await expect(operator.locator("[data-code=IP_NOT_ALLOWED]")).toBeVisible();
});

test("A key shows its calls, the audit log is filtered, and notices are chosen for mails", async ({
  context,
  spotline,
}) => {
  const email = "chooser@example.com";
  const page = await createAccount(context, spotline, email);
  const { place } = spotline;
  const desk = await withAccess(place, async ({ accounts, keys }) => {
    const accountId = (await accounts.findByEmail(email))?.id ?? "";
    const labels = Array.from({ length: 11 }, (_, at) => `Robot ${at}`);
    for (const label of labels) await keys.create({ accountId, label, scopes: ["all"] });
    return keys.create({ accountId, label: "Desk", scopes: ["all"] });
  });
  for (const symbol of ["EURUSD", "NOPE"]) {
    await fetch(`${spotline.url}/v1/quote?symbol=${symbol}`, { headers: { "X-API-Key": desk.secret } });
  }
  const bars = page.getByRole("img", { name: "Last 24 hours: 1 answered, 1 refused" });
  await expect(async () => {
    await page.goto("/keys");
    await expect(bars).toBeVisible({ timeout: 500 });
  }).toPass();
  const labels = page.getByRole("table", { name: "Active keys" }).getByRole("rowheader");
  await page.getByRole("columnheader", { name: "Last 24 hours" }).getByRole("link").click();
  await page.waitForURL("**/keys?sort=calls");
  await expect(labels.first()).toHaveText("Desk");
  await expectAccessible(page.getByRole("table", { name: "Active keys" }), "keys with calls");
  await page.getByRole("searchbox").fill("robot 1");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/keys?sort=calls&text=robot+1");
  await expect(labels).toHaveText(["Robot 10", "Robot 1"]);
  await page.goto(`/keys/${desk.id}`);
  await expect(bars).toBeVisible();
  await expect(page.getByRole("img", { name: "Last 30 days: 1 answered, 1 refused" })).toBeVisible();
  await expectAccessible(page.getByRole("main"), "/keys/ID with calls");
  await expectNoSidewaysScroll(page, "/keys/ID with calls");

  await page.goto("/audit");
  const events = page.getByRole("table", { name: "Changes to accounts and keys" }).locator("tbody tr");
  await page.getByLabel("Changes to", { exact: true }).selectOption("Keys");
  await page.getByRole("searchbox").fill("desk");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL("**/audit?text=desk&kind=key&by=&from=&to=");
  await expect(events).toHaveCount(1);
  const csv = await (await page.request.get("/audit/csv?text=desk&kind=key")).text();
  expect(csv.trim().split("\r\n")).toHaveLength(2);
  await page.goto("/audit?to=2020-01-01");
  await expect(page.getByRole("heading", { name: "No change matches" })).toBeVisible();

  await page.goto("/notices");
  await expect(page.getByRole("checkbox", { name: /^Security/ })).toBeDisabled();
  await page.getByRole("checkbox", { name: /^Unused keys/ }).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("checkbox", { name: /^Unused keys/ })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: /^Keys that end/ })).toBeChecked();
});
