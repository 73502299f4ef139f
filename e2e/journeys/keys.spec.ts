import type { Page } from "@playwright/test";
import { addSession } from "@/e2e/journeys/accounts";
import {
  addAccount,
  confirmIfAsked,
  createAccount,
  expect,
  PASSWORD,
  submitAccount,
  test,
} from "@/e2e/journeys/fixtures";
import { readCookies, replay } from "@/e2e/journeys/forgery";
import { SESSION_COOKIE } from "@/e2e/support/sessions";
import { DAY_MS } from "@/lib/time/units";

async function quoteStatus(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
  await response.arrayBuffer();
  return response.status;
}

/** Sends the form, reads the secret and closes the dialog, which leads to the list. */
async function finishKey(page: Page): Promise<string> {
  await confirmIfAsked(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  const secret = await dialog.locator("#secret").innerText();
  expect(secret).toMatch(/^fxk_live_[0-9A-Za-z]{30,}$/);
  await dialog.getByLabel("I have stored this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.waitForURL("**/keys");
  return secret;
}

function findLine(page: Page, label: string) {
  return page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: label }) });
}

/** Opens the dialog to revoke a key. Returns the id of the key. */
async function openRevokeDialog(page: Page, label: string): Promise<string> {
  await page.getByRole("link", { name: `Revoke ${label}` }).click();
  return page.getByRole("dialog").locator("input[name=id]").inputValue();
}

test("A key is shown once, works with its settings, and ends when its owner revokes it", async ({
  trader: page,
  spotline,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/keys");
  await page.getByRole("link", { name: "Create key" }).first().click();

  await page.getByLabel("Label").fill("Pricing sheet");
  await page.getByRole("checkbox", { name: /^Indicators/ }).check();
  await page.getByText("On a date").click();
  const lastDay = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);
  await page.getByLabel("Last day of the key").fill(lastDay);
  await page.getByLabel("Allowed addresses").fill("127.0.0.1\n10.0.0.0/33\n192.0.2.7");
  await page.getByLabel("Allowed addresses").blur();
  await expect(page.getByText("Line 2: 10.0.0.0/33 has a prefix above 32.")).toBeVisible();
  await page.getByLabel("Allowed addresses").fill("127.0.0.1\n192.0.2.7");
  await page.getByText("Only some symbols").click();
  await page.getByRole("checkbox", { name: "forex" }).check();
  await page.getByLabel("Single symbols").fill("gold");
  await page.getByLabel("Calls a minute").fill("1000000");

  await confirmIfAsked(page);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText(/^Calls a minute must be a whole number from 1 to /)).toBeVisible();
  await page.getByLabel("Calls a minute").fill("20");
  await confirmIfAsked(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  const secret = await dialog.locator("#secret").innerText();
  await expect(dialog.locator("#curl")).toContainText(`curl -H "X-API-Key: ${secret}"`);
  await dialog.getByRole("button", { name: "Copy key" }).click();
  await expect(dialog.getByRole("button", { name: "Copied key" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("I have stored this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();

  await expect(page).toHaveURL(/\/keys$/);
  await expect(findLine(page, "Pricing sheet")).toContainText("quotes, indicators");
  await expect(findLine(page, "Pricing sheet")).toContainText("only forex, XAUUSD, 20 a minute");
  await expect(findLine(page, "Pricing sheet")).toContainText("127.0.0.1 and 1 more");
  await page.reload();
  await expect(findLine(page, "Pricing sheet")).toContainText("active");
  expect(await page.content()).not.toContain(secret);
  expect(await quoteStatus(spotline.url, secret)).toBe(200);

  await page.goto("/keys/new");
  await page.getByLabel("Label").fill("Backtests");
  await page.getByRole("checkbox", { name: /^Quotes/ }).uncheck();
  await page.getByRole("checkbox", { name: /^Historical/ }).check();
  const historical = await finishKey(page);
  expect(await quoteStatus(spotline.url, historical)).toBe(403);

  const id = await openRevokeDialog(page, "Pricing sheet");
  await page.getByRole("button", { name: "Keep key" }).click();
  const historicalId = await openRevokeDialog(page, "Backtests");
  const revocation = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Revoke key" }).click();
  const request = await revocation;
  await expect(findLine(page, "Backtests")).toContainText("revoked");
  expect(await quoteStatus(spotline.url, historical)).toBe(401);

  await addAccount(spotline, "other@example.com");
  const other = `${SESSION_COOKIE}=${await addSession(spotline, "other@example.com")}`;
  const keysOfOther = await (await fetch(`${spotline.url}/keys`, { headers: { cookie: other } })).text();
  expect(keysOfOther).toContain("No keys yet");
  expect(keysOfOther).not.toContain("Pricing sheet");
  const forged = await replay(request, { [historicalId]: id }, other);
  expect(forged).not.toContain('"done":true');
  expect(await replay(request, { [historicalId]: id }, "")).not.toContain('"done":true');
  expect(await quoteStatus(spotline.url, secret)).toBe(200);

  // The same request of the owner succeeds, so the session was refused and not the form.
  expect(await replay(request, { [historicalId]: id }, await readCookies(page))).toContain('"done":true');
  expect(await quoteStatus(spotline.url, secret)).toBe(401);
  await page.reload();
  await expect(findLine(page, "Pricing sheet")).toContainText(/revoked final in \d\d:\d\d/);
});

test("A form keeps what was typed when the session ends, and its errors end with their cause", async ({
  context,
  spotline,
}) => {
  const email = "interrupted@example.com";
  const page = await createAccount(context, spotline, email);
  await page.goto("/keys/new");
  await page.getByRole("button", { name: "Create key" }).click();
  const label = page.getByLabel("Label");
  await expect(label).toHaveAttribute("aria-invalid", "true");
  await label.fill("Night desk");
  await expect(label).not.toHaveAttribute("aria-invalid", "true");

  await page.getByRole("checkbox", { name: /^Quotes/ }).uncheck();
  await page.getByRole("checkbox", { name: /^Historical/ }).check();
  await expect(page.getByRole("region", { name: "Refused by your plan" })).toContainText("/v1/ticks");
  await page.getByText("On a date").click();
  const lastDay = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);
  await page.getByLabel("Last day of the key").fill(lastDay);
  await page.getByLabel("Allowed addresses").fill("127.0.0.1\n192.0.2.7");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.waitForURL("**/sign-in?next=%2Fkeys%2Fnew");
  await submitAccount(page, email, PASSWORD);
  await page.waitForURL("**/keys/new");
  await expect(label).toHaveValue("Night desk");
  await expect(page.getByRole("checkbox", { name: /^Quotes/ })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: /^Historical/ })).toBeChecked();
  await expect(page.getByLabel("Last day of the key")).toHaveValue(lastDay);
  await expect(page.getByLabel("Allowed addresses")).toHaveValue("127.0.0.1\n192.0.2.7");
  await finishKey(page);
  await page.goto("/keys/new");
  await expect(label).toHaveValue("");
});

test("A key can be edited, rotated with a grace period, revoked and restored", async ({ context, spotline }) => {
  const page = await createAccount(context, spotline, "rotator@example.com");
  await page.goto("/keys/new");
  await page.getByLabel("Label").fill("Desk");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("A new key can call the API in your name. Enter your password to go on.")).toBeVisible();
  const first = await finishKey(page);

  // A new session, in which the password was not confirmed yet.
  await page.context().clearCookies();
  await page.goto("/sign-in?next=/keys");
  await submitAccount(page, "rotator@example.com", PASSWORD);
  await page.getByRole("link", { name: "Desk", exact: true }).click();
  await page.getByLabel("Label").fill("London desk");
  await page.getByLabel("Allowed addresses").fill("127.0.0.0/8\n127.0.0.1\n0.0.0.0/0");
  await page.getByLabel("Test an address").fill("203.0.113.7");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByText("0.0.0.0/0 allows every IPv4 address.")).toBeVisible();
  await expect(page.getByText("127.0.0.1/32 is within 127.0.0.0/8 already.")).toBeVisible();
  await expect(page.getByText("203.0.113.7 is allowed by 0.0.0.0/0.")).toBeVisible();
  await page.getByLabel("Allowed addresses").fill("127.0.0.1");
  await page.getByText("Only some endpoints").click();
  await page.getByRole("checkbox", { name: "/v1/quote", exact: true }).check();
  await page.getByLabel("Calls a day").fill("500");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved. They apply immediately.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("London desk");
  expect(await quoteStatus(spotline.url, first)).toBe(200);

  await page.getByLabel("Calls a day").fill("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("This lets the key do more than before.")).toBeVisible();
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Save changes" }) });
  await form.getByLabel("Your password").fill("not the password");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("The password is not right.")).toBeVisible();
  await form.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved. They apply immediately.")).toBeVisible();

  await page.getByRole("button", { name: "Disable key" }).click();
  await expect(page.getByRole("button", { name: "Enable key" })).toBeVisible();
  expect(await quoteStatus(spotline.url, first)).toBe(401);
  await page.getByRole("button", { name: "Enable key" }).click();
  await expect(page.getByRole("button", { name: "Disable key" })).toBeVisible();

  // The password was entered a moment ago, so the form does not ask for it.
  await page.getByText("In 1 hour", { exact: true }).click();
  await page.getByRole("button", { name: "Rotate key" }).click();
  const dialog = page.getByRole("dialog");
  const second = await dialog.locator("#secret").innerText();
  await dialog.getByLabel("I have stored this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.waitForURL("**/keys");
  expect(second).not.toBe(first);
  expect(await quoteStatus(spotline.url, first)).toBe(200);
  expect(await quoteStatus(spotline.url, second)).toBe(200);

  const lines = findLine(page, "London desk");
  await expect(lines).toHaveCount(2);
  const old = lines.filter({ hasText: "replaced" });
  await expect(old).toContainText(/replaced, ends in (59:\d\d|01:00:00)/);
  await old.getByRole("link", { name: /^Revoke/ }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  const revoked = lines.filter({ hasText: "revoked" });
  await expect(revoked).toContainText(/final in \d\d:\d\d/);
  expect(await quoteStatus(spotline.url, first)).toBe(401);
  expect(await quoteStatus(spotline.url, second)).toBe(200);
  await revoked.getByRole("button", { name: /^Undo/ }).click();
  await expect(revoked).toHaveCount(0);
  expect(await quoteStatus(spotline.url, first)).toBe(200);

  await page.getByRole("link", { name: "Audit log" }).click();
  const events = page.getByRole("table", { name: "Changes to accounts and keys" });
  await expect(events).toContainText(/key\.restore[\s\S]*key\.revoke[\s\S]*key\.rotate[\s\S]*account\.create/);
  await expect(events).toContainText("127.0.0.1");
});
