import type { Page, Request } from "@playwright/test";
import { createKey } from "@/e2e/journeys/accounts";
import { addAccount, expect, PASSWORD, signIn, submitAccount, test } from "@/e2e/journeys/fixtures";
import { expectRefusedToMembers } from "@/e2e/journeys/operator-refusals";
import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { findSteadySource } from "@/e2e/support/steady-source";
import { startTestServer } from "@/e2e/support/test-server";
import { createAuditLog } from "@/lib/access/audit/audit-log";

/** These journeys have their own server, whose first account is the operator. Sign-up needs an invitation. */

const ROOT = "root@example.com";
const GUEST = "guest@example.com";
const MEMBER = "member@example.com";
let spotline: Spotline;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  spotline = await startTestServer({ env: { SPOTLINE_SIGN_UP: "invitation" } });
  await addAccount(spotline, ROOT);
});
test.afterAll(async () => void (await spotline.stop()));

async function quoteStatus(key: string): Promise<number> {
  const response = await fetch(`${spotline.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
  await response.arrayBuffer();
  return response.status;
}

/** Opens a page of this server, which is not the one of the journeys' context. */
const open = (page: Page, path: string) => page.goto(spotline.url + path);

/** Finds the section with this heading. */
function findSection(page: Page, title: string) {
  return page.getByRole("region", { name: title, exact: true });
}

test("The operator can invite a person, and find, suspend, resume and close the account", async ({
  browser,
  context,
}) => {
  test.slow();
  const operator = await signIn(context, spotline, ROOT);
  const posts: Request[] = [];
  operator.on("request", (request) => {
    if (request.method() === "POST" && "next-action" in request.headers()) posts.push(request);
  });

  const guest = await (await browser.newContext({ baseURL: spotline.url })).newPage();
  await guest.goto("/sign-in");
  await expect(guest.getByRole("link", { name: "Create one" })).toHaveCount(0);
  await guest.goto("/sign-up");
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("Sign-up is not open");

  await open(operator, "/operator/accounts");
  await operator.getByRole("link", { name: "Invitations" }).click();
  await operator.getByLabel("E-mail, optional").fill(GUEST);
  await operator.getByLabel("Plan").selectOption("pro");
  await operator.getByRole("button", { name: "Create invitation" }).click();
  await expect(operator.getByText("Enter your password to go on.")).toBeVisible();
  await operator.getByLabel("E-mail, optional").fill(GUEST);
  await operator.getByLabel("Plan").selectOption("pro");
  await operator.getByLabel("Your password").fill(PASSWORD);
  await operator.getByRole("button", { name: "Create invitation" }).click();
  const link = await operator.locator("#invitation-link").innerText();
  await guest.goto(link);
  await expect(guest.getByText(`You are invited as ${GUEST}, on the Pro plan.`)).toBeVisible();
  await expect(guest.getByLabel("E-mail")).toHaveValue(GUEST);
  await submitAccount(guest, GUEST, PASSWORD);
  await guest.waitForURL("**/overview");
  expect(await (await fetch(link)).text()).toContain("This invitation is no longer valid");
  await operator.getByLabel("E-mail, optional").fill("unwanted@example.com");
  await operator.getByRole("button", { name: "Create invitation" }).click();
  await operator.getByRole("button", { name: "Revoke the invitation for unwanted@example.com" }).click();
  await expect(operator.getByRole("row", { name: /unwanted/ })).toHaveCount(0);
  await expect(operator.getByRole("row", { name: new RegExp(GUEST) })).toContainText("used");

  const { secret: key, start } = await createKey(spotline, GUEST, "Desk");
  await expect.poll(() => quoteStatus(key)).toBe(200);

  await open(operator, "/operator/keys");
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
  await operator.getByRole("button", { name: "Revoke key" }).click();
  await expect(operator.getByRole("button", { name: "Undo" })).toBeVisible();
  await guest.goto("/keys");
  await expect(guest.getByRole("row", { name: /Desk/ })).toContainText("revoked by an operator");
  await guest.getByRole("link", { name: "Desk", exact: true }).click();
  await expect(guest.getByRole("region", { name: "Revoked by an operator" })).toContainText("Only an operator");
  await expect(guest.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await operator.getByRole("button", { name: "Undo" }).click();
  await expect(operator.getByRole("button", { name: "Revoke key" })).toBeVisible();
  expect(await quoteStatus(key)).toBe(200);

  await open(operator, "/operator/accounts");
  await operator.getByRole("searchbox").fill("GUEST@");
  await operator.getByRole("main").getByRole("button", { name: "Search" }).click();
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
  expect((await open(operator, `/operator/accounts/${accountId}`))?.status()).toBe(404);

  await open(operator, "/operator/accounts");
  await operator.getByRole("link", { name: ROOT }).click();
  await operator.getByLabel("Reason").fill("holiday");
  await operator.getByRole("button", { name: "Suspend account" }).click();
  await expect(operator.getByText("This is the only operator left, so it cannot be suspended.")).toBeVisible();
  expect(await spotline.cli("audit", "verify")).toMatchObject({ ok: true });

  await addAccount(spotline, MEMBER);
  const member = await signIn(guest.context(), spotline, MEMBER);
  await expectRefusedToMembers(spotline, { operator, operatorEmail: ROOT, member, memberEmail: MEMBER, posts });
  await guest.context().close();
});

test("The status page shows calls as they are made", async ({ context }) => {
  const email = "watched@example.com";
  const source = findSteadySource();
  await addAccount(spotline, email, "pro");
  const { secret: key } = await createKey(spotline, email, "Busy bot");
  const operator = await signIn(context, spotline, ROOT);
  await open(operator, "/status");
  await expect(operator.getByRole("heading", { name: "Requests per second" })).toBeVisible();
  const busiest = operator.getByRole("table", { name: "Busiest keys, last minute" });
  await expect(busiest).not.toContainText("Busy bot");
  await expect.poll(() => quoteStatus(key)).toBe(200);
  for (let call = 0; call < 20; call++) await quoteStatus(key);
  await expect(busiest.getByRole("row", { name: /Busy bot/ })).toContainText(/Busy bot.*21/s);
  const status = await spotline.cli<{ feeds: object[]; last_minute: { endpoints: object[]; keys: object[] } }>(
    "status",
  );
  expect(status.feeds).toContainEqual(expect.objectContaining({ source, connection: "connected" }));
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
});

test("The feeds page pauses a source, and gives a spelling its symbol", async ({ context }) => {
  const operator = await signIn(context, spotline, ROOT);
  await open(operator, "/status");
  await operator.getByRole("link", { name: "Feeds", exact: true }).first().click();
  const name = findSteadySource();
  const source = operator.getByRole("listitem").filter({ hasText: name });
  await expect(source).toContainText(/ok|check|closed/);
  await source.getByRole("button", { name: `Pause ${name}` }).click();
  await expect(source).toContainText("paused", { timeout: 20_000 });
  await source.getByRole("button", { name: `Resume ${name}` }).click();
  await expect(source.getByRole("button", { name: `Pause ${name}` })).toBeVisible();

  await source.getByText(name).first().click();
  await source.getByText("Give another spelling a symbol").click();
  await source.getByLabel("Spelling of the source").fill("OLDGOLD");
  await source.getByLabel("Symbol", { exact: true }).fill("nothing at all");
  await source.getByRole("button", { name: "Add alias" }).click();
  await expect(source.getByText("Choose a symbol of the catalog")).toBeVisible();
  await source.getByLabel("Symbol", { exact: true }).fill("gold");
  await source.getByRole("button", { name: "Add alias" }).click();
  const remove = source.getByRole("button", { name: "Remove the alias OLDGOLD" });
  await expect(remove).toBeVisible();
  await expect(source).toContainText("OLDGOLD is XAUUSD");
  await remove.click();
  await expect(remove).toHaveCount(0);
  const events = await withAccess(spotline.place, ({ database }) => createAuditLog(database).list({ limit: 4 }));
  expect(events.map(({ event }) => event).toSorted()).toEqual([
    "source.alias",
    "source.pause",
    "source.resume",
    "source.unalias",
  ]);
});

test("A member can close their account, but the last operator cannot", async ({ context }) => {
  const email = "leaving@example.com";
  await addAccount(spotline, email);
  const { secret: key } = await createKey(spotline, email, "own");
  await expect.poll(() => quoteStatus(key)).toBe(200);
  for (const [address, refusal] of [
    [ROOT, "This is the only operator left, so it cannot be closed."],
    [email, null],
  ] as const) {
    await context.clearCookies();
    const page = await signIn(context, spotline, address);
    await open(page, "/account");
    await page.getByLabel(`Type ${address}`).fill(address);
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Close account for good" }).click();
    if (refusal === null) await page.waitForURL("**/sign-in");
    else await expect(page.getByText(refusal)).toBeVisible();
  }
  expect(await quoteStatus(key)).toBe(401);
  expect(await withAccess(spotline.place, ({ accounts }) => accounts.findByEmail(email))).toBeNull();
});
