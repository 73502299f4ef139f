import type { Page } from "@playwright/test";
import { createKey, withAccount } from "@/e2e/journeys/accounts";
import { createAccount, expect, PASSWORD, signIn, submitAccount, test, TRADER } from "@/e2e/journeys/fixtures";

/** A session that ends loses nothing of what was typed. The form that creates a key has a journey of its own. */

interface TypedForm {
  readonly path: string;
  /** What is opened before typing. */
  readonly open?: readonly string[];
  /** The texts by the label of their field. */
  readonly texts: Readonly<Record<string, string>>;
  /** The button that sends the form. */
  readonly send: RegExp;
}

const findField = (page: Page, label: string) => page.getByRole("main").getByRole("textbox", { name: label }).first();

/** Signs in again on the page to which a visitor without a session was sent, which has no password in its drafts. */
async function signInAgain(page: Page, path: string): Promise<void> {
  await page.waitForURL(/\/sign-in\?next=/);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(PASSWORD);
  await submitAccount(page, TRADER, PASSWORD);
  await page.waitForURL(`**${path}`);
}

/** Types into a form whose session has ended, sends it, and expects every text to be back and to be seen. */
async function expectKept(page: Page, url: string, { path, open = [], texts, send }: TypedForm): Promise<void> {
  await page.goto(url + path);
  for (const part of open) await page.getByText(part).first().click();
  for (const [label, text] of Object.entries(texts)) await findField(page, label).fill(text);
  for (const field of await page.getByLabel("Your password").all()) {
    if (await field.isVisible()) await field.fill(PASSWORD);
  }
  await page.context().clearCookies();
  await page.getByRole("button", { name: send }).first().click();
  await signInAgain(page, path);
  for (const [label, text] of Object.entries(texts)) {
    await expect(findField(page, label), `${path}: ${label}`).toHaveValue(text);
    await expect(findField(page, label), `${path}: ${label}`).toBeVisible();
  }
}

test("Alerts, webhooks, requests and the account keep what was typed when the session ends", async ({
  context,
  spotline,
}) => {
  test.setTimeout(180_000);
  // Browsers allow passkeys at this name only.
  const url = spotline.url.replace("127.0.0.1", "localhost");
  const page = await signIn(context, { ...spotline, url }, TRADER);
  const { id } = await createKey(spotline, TRADER, "Kept");
  const forms: readonly TypedForm[] = [
    {
      path: "/alerts?kind=price",
      texts: { Level: "1.2345", Name: "Above the range", Address: "https://desk.example/hook" },
      send: /^Create alert$/,
    },
    { path: "/plan", texts: { "Message, optional": "For the new desk" }, send: /^Request plan$/ },
    {
      path: "/account",
      texts: { "Name of the passkey": "Night desk", [`Type ${TRADER}`]: TRADER },
      send: /^Add a passkey$/,
    },
    {
      path: `/keys/${id}`,
      open: ["Only pages of some sites"],
      texts: { Label: "Renamed", "Allowed origins": "https://desk.example" },
      send: /^Save changes$/,
    },
  ];
  for (const form of forms) await expectKept(page, url, form);
});

test("The operator's forms keep what was typed when the session ends", async ({ context, spotline, signedIn }) => {
  test.setTimeout(180_000);
  const email = "asks@example.com";
  const member = await createAccount(context, spotline, email);
  await member.goto("/plan");
  await member.getByRole("button", { name: "Request plan" }).click();
  await expect(member.getByText(/^You asked for the/)).toBeVisible();
  await member.close();
  await context.addCookies(signedIn.cookies);
  const trader = await context.newPage();
  const id = await withAccount(spotline, email, async (_, account) => account);
  const forms: readonly TypedForm[] = [
    {
      path: "/operator/plan-requests",
      open: ["Decline with a reason"],
      texts: { Reason: "Too large for a start" },
      send: /^Decline the request/,
    },
    { path: "/operator/invitations", texts: { "E-mail, optional": "guest@example.com" }, send: /^Create invitation$/ },
    {
      path: `/operator/accounts/${id}`,
      texts: { "Requests a minute": "12", "Calls a day": "345", Reason: "Agreed by mail" },
      send: /^Save limits$/,
    },
    { path: "/operator/terminals", texts: { "Name of the source": "icmarkets-demo" }, send: /^Create token$/ },
  ];
  for (const form of forms) await expectKept(trader, spotline.url, form);
});

test("A new list of symbols is kept when the session ends, whether it was sent or not", async ({ trader: page }) => {
  const openDialog = async () => {
    await page.getByRole("button", { name: /^List: / }).click();
    await page.getByRole("button", { name: "New list" }).click();
  };
  const name = page.getByRole("textbox", { name: "Name" });
  const symbols = page.getByRole("textbox", { name: "Symbols", exact: true });
  await page.goto("/quotes");
  await openDialog();
  await name.fill("Night");
  await symbols.fill("EURUSD, XAUUSD");
  await page.context().clearCookies();
  await page.reload();
  await signInAgain(page, "/quotes");
  await openDialog();
  await expect(name).toHaveValue("Night");
  await expect(symbols).toHaveValue("EURUSD, XAUUSD");

  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create list" }).click();
  await signInAgain(page, "/quotes?list=night");
  await expect(page.getByRole("button", { name: "List: Night" })).toBeVisible();
  await expect
    .poll(async () => JSON.stringify(await (await page.request.get("/quotes/lists")).json()))
    .toMatch(/"name":"Night",[^}]*"symbols":\["EURUSD","XAUUSD"\]/);
  await page.reload();
  await expect(page.getByRole("button", { name: "List: Night" })).toBeVisible();
});
