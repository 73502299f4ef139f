import type { Browser, Page, Request } from "@playwright/test";
import { expect, PASSWORD, signUp, submitAccount, test } from "@/e2e/journeys/fixtures";
import { readCookies, replay } from "@/e2e/journeys/forgery";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";

/** These journeys have their own server, whose first account is the operator. Sign-up needs an invitation. */

const ROOT = "root@example.com";
const GUEST = "guest@example.com";
const MEMBER = "member@example.com";
let spotline: Spotline;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  spotline = await startTestServer({ env: { SPOTLINE_SIGN_UP: "invitation" } });
});
test.afterAll(async () => {
  await spotline.stop();
});

async function quoteStatus(key: string): Promise<number> {
  const response = await fetch(`${spotline.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
  await response.arrayBuffer();
  return response.status;
}

/** Finds the section with this heading. */
function findSection(page: Page, title: string) {
  return page.getByRole("region", { name: title, exact: true });
}

async function signIn(browser: Browser, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: spotline.url })).newPage();
  await page.goto("/sign-in");
  await submitAccount(page, email, PASSWORD);
  await page.waitForURL("**/quotes");
  return page;
}

test("The operator can invite a person, and find, suspend, resume and close the account", async ({ browser }) => {
  test.slow();
  const operator = await signUp(browser, spotline.url, ROOT);
  const posts: Request[] = [];
  operator.on("request", (request) => {
    if (request.method() === "POST" && "next-action" in request.headers()) posts.push(request);
  });

  const guest = await (await browser.newContext({ baseURL: spotline.url })).newPage();
  await guest.goto("/sign-in");
  await expect(guest.getByRole("link", { name: "Create one" })).toHaveCount(0);
  await guest.goto("/sign-up");
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("Sign-up is not open");

  await operator.getByRole("link", { name: "Invitations" }).click();
  await operator.getByLabel("E-mail, optional").fill(GUEST);
  await operator.getByLabel("Plan").selectOption("pro");
  await operator.getByRole("button", { name: "Create invitation" }).click();
  const link = await operator.locator("#invitation-link").innerText();
  await guest.goto(link);
  await expect(guest.getByText(`You are invited as ${GUEST}, on the Pro plan.`)).toBeVisible();
  await expect(guest.getByLabel("E-mail")).toHaveValue(GUEST);
  await submitAccount(guest, GUEST, PASSWORD);
  await guest.waitForURL("**/quotes");
  const late = await (await browser.newContext({ baseURL: spotline.url })).newPage();
  await late.goto(link);
  await expect(late.getByRole("heading", { level: 1 })).toHaveText("This invitation is no longer valid");
  await late.context().close();
  await operator.getByLabel("E-mail, optional").fill("unwanted@example.com");
  await operator.getByRole("button", { name: "Create invitation" }).click();
  await operator.getByRole("button", { name: "Revoke the invitation for unwanted@example.com" }).click();
  await expect(operator.getByRole("row", { name: /unwanted/ })).toHaveCount(0);
  await expect(operator.getByRole("row", { name: new RegExp(GUEST) })).toContainText("used");

  const { key, start } = await spotline.cli<{ key: string; start: string }>(
    "key",
    "create",
    "--account",
    GUEST,
    "--label",
    "Desk",
  );
  await expect.poll(() => quoteStatus(key)).toBe(200);

  await operator.goto("/operator/keys");
  await operator.getByRole("searchbox").fill(start);
  await operator.getByRole("button", { name: "Find" }).click();
  const found = operator.getByRole("row", { name: new RegExp(start) });
  await expect(found).toContainText(GUEST);
  await found.getByRole("link", { name: new RegExp(start) }).click();
  await operator.getByRole("button", { name: "Disable key" }).click();
  await expect(operator.getByRole("button", { name: "Enable key" })).toBeVisible();
  expect(await quoteStatus(key)).toBe(401);
  await operator.getByRole("button", { name: "Enable key" }).click();
  await expect(operator.getByRole("button", { name: "Disable key" })).toBeVisible();
  expect(await quoteStatus(key)).toBe(200);
  await operator.getByLabel("Your password").fill(PASSWORD);
  await operator.getByRole("button", { name: "Revoke key" }).click();
  await operator.getByRole("button", { name: "Undo" }).click();
  await expect(operator.getByRole("button", { name: "Revoke key" })).toBeVisible();
  expect(await quoteStatus(key)).toBe(200);

  await operator.goto("/operator/accounts");
  await operator.getByRole("searchbox").fill("GUEST@");
  await operator.getByRole("button", { name: "Search" }).click();
  await operator.getByRole("link", { name: GUEST }).click();
  await expect(operator.getByRole("heading", { level: 1 })).toHaveText(GUEST);
  await findSection(operator, "Plan").getByLabel("Plan").selectOption("starter");
  await operator.getByRole("button", { name: "Change plan" }).click();
  await expect(operator.getByText("The account is now on the Starter plan.")).toBeVisible();
  await operator.getByLabel("Requests a minute").fill("many");
  await operator.getByRole("button", { name: "Save limits" }).click();
  await expect(operator.getByText(/^A limit is a whole number/)).toBeVisible();
  await operator.getByLabel("Requests a minute").fill("1,000");
  await operator.getByRole("button", { name: "Save limits" }).click();
  await expect(operator.getByText("Saved. The limits apply now.")).toBeVisible();
  await expect(operator.getByLabel("Requests a minute")).toHaveValue("1000");

  await operator.getByLabel("Reason").fill("Unpaid since May");
  await operator.getByRole("button", { name: "Suspend account" }).click();
  await expect(findSection(operator, "Resume")).toBeVisible();
  await expect(operator.locator("main dl")).toContainText("Unpaid since May");
  expect(await quoteStatus(key)).toBe(403);
  await guest.goto("/keys");
  await expect(guest).toHaveURL(/\/sign-in/);
  await operator.getByRole("button", { name: "Resume account" }).click();
  await expect(findSection(operator, "Suspend")).toBeVisible();
  expect(await quoteStatus(key)).toBe(200);

  const accountId = operator.url().split("/").at(-1) ?? "";
  const close = operator.getByRole("button", { name: "Close account for good" });
  await operator.getByLabel(`Type ${GUEST}`).fill("guest");
  await close.click();
  await expect(operator.getByText(`Type ${GUEST} to confirm.`)).toBeVisible();
  await operator.getByLabel(`Type ${GUEST}`).fill(GUEST);
  await close.click();
  await expect(operator.getByText("Enter your password: this cannot be undone.")).toBeVisible();
  await operator.getByLabel(`Type ${GUEST}`).fill(GUEST);
  await operator.getByLabel("Your password").fill(PASSWORD);
  await close.click();
  await operator.waitForURL("**/operator/accounts");
  expect(await quoteStatus(key)).toBe(401);
  await expect(operator.getByRole("link", { name: ROOT })).toBeVisible();
  await expect(operator.getByRole("link", { name: GUEST })).toHaveCount(0);
  expect((await operator.goto(`/operator/accounts/${accountId}`))?.status()).toBe(404);

  await operator.goto("/operator/accounts");
  await operator.getByRole("link", { name: ROOT }).click();
  await operator.getByLabel("Reason").fill("holiday");
  await operator.getByRole("button", { name: "Suspend account" }).click();
  await expect(operator.getByText("This is the only operator left, so it cannot be suspended.")).toBeVisible();
  expect(await spotline.cli("audit", "verify")).toMatchObject({ ok: true });

  await expectRefusedToMembers(browser, operator, posts);
  await operator.context().close();
  await guest.context().close();
});

/** Expects that a member is refused every page, route and action of the operator that was used so far. */
async function expectRefusedToMembers(browser: Browser, operator: Page, posts: readonly Request[]): Promise<void> {
  await spotline.cli("account", "create", "--email", MEMBER, "--password", PASSWORD);
  const { id } = await spotline.cli<{ id: string }>("account", "show", "--email", MEMBER);
  const made = await spotline.cli<{ id: string }>("key", "create", "--account", MEMBER, "--label", "own");
  const member = await signIn(browser, MEMBER);
  const paths = [
    "/status",
    "/operator/accounts",
    `/operator/accounts/${id}`,
    "/operator/keys",
    "/operator/invitations",
  ];
  for (const path of [...paths, `/operator/keys/${made.id}`, "/status/data"]) {
    expect((await operator.goto(path))?.status(), path).toBe(200);
    expect((await member.goto(path))?.status(), path).toBe(404);
    expect(await member.content(), path).not.toContain(ROOT);
  }
  await member.goto("/quotes");
  await expect(member.getByRole("link", { name: "API keys" })).not.toHaveCount(0);
  await expect(member.getByRole("link", { name: "Accounts" })).toHaveCount(0);

  const before = await spotline.cli<{ events: { seq: number }[] }>("audit", "list", "--limit", "1");
  const cookie = await readCookies(member);
  const actions = new Map(posts.map((post) => [post.headers()["next-action"], post]));
  // Plan, limits, suspend, resume, close; disable, enable, revoke, restore; create and remove an invitation.
  expect(actions.size).toBe(11);
  for (const post of actions.values()) {
    for (const other of [cookie, ""]) expect(await replay(post, {}, other)).not.toContain('"done":true');
  }
  expect(await spotline.cli("audit", "list", "--limit", "1")).toEqual(before);
  await member.context().close();
}

test("The status page shows calls as they are made", async ({ browser }) => {
  const email = "watched@example.com";
  await spotline.cli("account", "create", "--email", email, "--password", PASSWORD, "--plan", "pro");
  const { key } = await spotline.cli<{ key: string }>("key", "create", "--account", email, "--label", "Busy bot");
  const operator = await signIn(browser, ROOT);
  await operator.goto("/status");
  await expect(operator.getByRole("heading", { name: "Requests per second" })).toBeVisible();
  const busiest = operator.getByRole("table", { name: "Busiest keys, last minute" });
  await expect(busiest).not.toContainText("Busy bot");
  await expect.poll(() => quoteStatus(key)).toBe(200);
  for (let call = 0; call < 20; call++) await quoteStatus(key);
  await expect(busiest.getByRole("row", { name: /Busy bot/ })).toContainText(/Busy bot.*21/s);
  const status = await spotline.cli<{ feeds: object[]; last_minute: { endpoints: object[]; keys: object[] } }>(
    "status",
  );
  expect(status.feeds).toContainEqual(expect.objectContaining({ source: "alpha-markets", connection: "connected" }));
  // Calls of the test before may still be within the minute.
  expect(status.last_minute.endpoints).toContainEqual(expect.objectContaining({ endpoint: "/v1/quote" }));
  expect(status.last_minute.keys).toContainEqual(
    expect.objectContaining({ label: "Busy bot", account: email, calls: 21 }),
  );
  for (const authorization of ["Bearer forged", ""]) {
    const answer = await fetch(`${spotline.url}/status/data`, { headers: { authorization } });
    expect(answer.status).toBe(401);
  }
  await expect(operator.getByRole("table", { name: "Endpoints, last minute" })).toContainText("/v1/quote");
  await expect(operator.getByRole("main")).toContainText(/Database(embedded )?PostgreSQL, [\d.]+ [MG]B/i);
  await busiest.getByRole("link", { name: "Busy bot" }).click();
  await expect(operator.getByRole("link", { name: email })).toBeVisible();
  await operator.context().close();
});

test("A member can close their account, but the last operator cannot", async ({ browser }) => {
  const email = "leaving@example.com";
  await spotline.cli("account", "create", "--email", email, "--password", PASSWORD);
  const { key } = await spotline.cli<{ key: string }>("key", "create", "--account", email, "--label", "own");
  await expect.poll(() => quoteStatus(key)).toBe(200);
  for (const [address, refusal] of [
    [ROOT, "This is the only operator left, so it cannot be closed."],
    [email, null],
  ] as const) {
    const page = await signIn(browser, address);
    await page.goto("/account");
    await page.getByLabel(`Type ${address}`).fill(address);
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Close account for good" }).click();
    if (refusal === null) await page.waitForURL("**/sign-in");
    else await expect(page.getByText(refusal)).toBeVisible();
    await page.context().close();
  }
  expect(await quoteStatus(key)).toBe(401);
  expect(await spotline.cli("account", "list", "--search", email)).toMatchObject({ total: 0 });
});
