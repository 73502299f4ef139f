import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expectAccessible } from "@/e2e/journeys/accessible";
import {
  addAccount,
  createAccount,
  expect,
  openVisitor,
  PASSWORD,
  signIn,
  submitAccount,
  test,
} from "@/e2e/journeys/fixtures";

const STEP_MS = 30_000;

/** Turns on a second factor for the account that is signed in on this page. */
async function enrol(page: Page, whileEnrolling = async () => {}) {
  await page.goto("/account/second-factor");
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  await whileEnrolling();
  const secret = ((await page.locator("#totp-secret").textContent()) ?? "").replaceAll(" ", "");
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeIn = (ms: number) => app.generate({ timestamp: Date.now() + ms });
  await page.getByLabel("Code that the app shows").fill(codeIn(-20 * STEP_MS));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("The code is not right.")).toBeVisible();
  const first = codeIn(0);
  await page.getByLabel("Code that the app shows").fill(first);
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.locator("#recovery-codes li")).toHaveCount(10);
  const recoveryCodes = await page.locator("#recovery-codes li").allTextContents();
  await page.goto("/account/second-factor");
  await expect(page.getByText("10 of your recovery codes are unused")).toBeVisible();
  for (const code of recoveryCodes) await expect(page.getByText(code)).toHaveCount(0);
  return { codeIn, first, recoveryCodes };
}

async function enterCode(page: Page, label: string, code: string): Promise<void> {
  await page.getByLabel(label).fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("Signing in needs the password and a code that was not used before", async ({ context, spotline }) => {
  const email = "careful@example.com";
  await addAccount(spotline, email);
  const other = await context.newPage();
  await other.goto("/sign-in");
  await submitAccount(other, email, PASSWORD);
  await other.waitForURL("**/overview");

  const cookies = await context.cookies();
  await context.clearCookies();
  const page = await signIn(context, spotline, email);
  const { codeIn, first } = await enrol(page, () => expectAccessible(page.getByRole("main"), "enrolling"));
  await page.close();
  // The other browser was signed in with the password only.
  await context.clearCookies();
  await context.addCookies(cookies);
  await other.goto("/keys");
  await expect(other).toHaveURL(/\/sign-in\?next=%2Fkeys$/);

  await submitAccount(other, email, PASSWORD);
  await expect(other).toHaveURL(/\/sign-in\/code$/);
  await expectAccessible(other, "/sign-in/code");
  await other.goto("/keys");
  await expect(other).toHaveURL(/\/sign-in\?next=%2Fkeys$/);
  await other.goto("/sign-in/code");
  await enterCode(other, "Code from your app", first);
  await expect(other.getByText("The code is not right, or was used already.")).toBeVisible();
  const right = codeIn(STEP_MS);
  await enterCode(other, "Code from your app", right);
  await expect(other).toHaveURL(/\/keys$/);

  // The same code is sent again from a third browser with the password.
  const third = await openVisitor(context);
  await third.goto("/sign-in/code");
  await expect(third).toHaveURL(/\/sign-in$/);
  await submitAccount(third, email, PASSWORD);
  await expect(third).toHaveURL(/\/sign-in\/code$/);
  await enterCode(third, "Code from your app", right);
  await expect(third.getByText("The code is not right, or was used already.")).toBeVisible();
});

test("Recovery codes work without JavaScript, and the operator can reset the second factor", async ({
  context,
  browser,
  spotline,
}) => {
  const email = "forgetful@example.com";
  const page = await createAccount(context, spotline, email);
  const { recoveryCodes } = await enrol(page);

  const scriptless = await browser.newContext({ baseURL: spotline.url, javaScriptEnabled: false });
  const plain = await scriptless.newPage();
  await plain.goto("/sign-in?next=%2Faccount%2Fsecond-factor");
  await submitAccount(plain, email, PASSWORD);
  await plain.getByRole("link", { name: "Use a recovery code" }).click();
  await enterCode(plain, "Recovery code", recoveryCodes[0]?.toUpperCase() ?? "");
  await expect(plain).toHaveURL(/\/account\/second-factor$/);
  await expect(plain.getByText("9 of your recovery codes are unused")).toBeVisible();

  await plain.getByText("New recovery codes").click();
  const renewal = plain.locator("form").filter({ has: plain.getByRole("button", { name: "Replace" }) });
  await renewal.getByLabel("Your password").fill("not the password");
  await renewal.getByLabel("Code from your app").fill(recoveryCodes[1] ?? "");
  await renewal.getByRole("button").click();
  await expect(plain.getByText("The password is not right.")).toBeVisible();
  await renewal.getByLabel("Your password").fill(PASSWORD);
  await renewal.getByLabel("Code from your app").fill(recoveryCodes[1] ?? "");
  await renewal.getByRole("button").click();
  const renewed = await plain.locator("#recovery-codes li").allTextContents();
  expect(renewed).toHaveLength(10);

  await plain.goto("/account/second-factor");
  await plain.getByText("Turn it off").click();
  const ending = plain.locator("form").filter({ has: plain.getByRole("button", { name: /off$/ }) });
  await ending.getByLabel("Your password").fill(PASSWORD);
  await ending.getByLabel("Code from your app").fill(recoveryCodes[2] ?? "");
  await ending.getByRole("button").click();
  await expect(plain.getByText("The code is not right, or was used already.")).toBeVisible();
  await spotline.cli("account", "reset-second-factor", "--email", email);
  await scriptless.clearCookies();
  await plain.goto("/sign-in");
  await submitAccount(plain, email, PASSWORD);
  await expect(plain).toHaveURL(/\/overview$/);
  await scriptless.close();
});

test("No other route signs in with the password only", async ({ context, browser, spotline }) => {
  const email = "guarded@example.com";
  const page = await createAccount(context, spotline, email);
  await enrol(page);
  const other = await browser.newContext({ baseURL: spotline.url });
  for (const path of ["/api/auth/callback/credentials", "/api/auth/signin/credentials", "/sign-in/code"]) {
    await other.request.post(path, { form: { email, password: PASSWORD, json: "true" }, maxRedirects: 0 });
  }
  expect((await other.cookies()).map(({ name }) => name)).not.toContain("spotline-session");
  expect((await other.request.get("/keys", { maxRedirects: 0 })).status()).toBe(307);
  await other.close();
});

/** Gives a page an authenticator that always verifies its user. */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const verifyUser = (isUserVerified: boolean) =>
    devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  return { verifyUser };
}

test("A passkey signs in alone, confirms a new key and is removed", async ({ context, spotline }) => {
  const email = "keyless@example.com";
  await addAccount(spotline, email);
  // Browsers allow no passkeys at a network address.
  const url = spotline.url.replace("127.0.0.1", "localhost");
  const page = await context.newPage();
  const { verifyUser } = await addAuthenticator(page);
  await page.goto(`${url}/sign-in?next=%2Faccount`);
  await submitAccount(page, email, PASSWORD);
  await page.waitForURL("**/account");
  const adding = page.locator("form").filter({ has: page.getByRole("button", { name: "Add a passkey" }) });
  await adding.getByLabel("Name of the passkey").fill("Desk");
  await adding.getByLabel("Your password").fill(PASSWORD);
  await adding.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("“Desk” was added.")).toBeVisible();
  const row = page.getByRole("listitem").filter({ hasText: "Desk" });
  await expect(row).toContainText("On one device only");
  await expect(row).toContainText("never used");
  await expectAccessible(row, "a passkey");
  // With a verified user, this authenticator would answer the offer in the e-mail field without a click.
  await verifyUser(false);
  await page.goto(`${url}/keys`);
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await page.goto(`${url}/sign-in?next=%2Fkeys%2Fnew`);
  await expectAccessible(page.getByRole("main"), "/sign-in with passkeys");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("No passkey was used.")).toBeVisible();
  await verifyUser(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/keys/new");

  await page.getByLabel("Label").fill("Made with a passkey");
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await expect(page.getByRole("dialog").locator("#secret")).toHaveText(/^fxk_live_/);

  await page.goto(`${url}/account`);
  await row.getByText("Rename", { exact: true }).click();
  await row.getByLabel("New name").fill("Laptop");
  await row.getByRole("button", { name: "Save name" }).click();
  const renamed = page.getByRole("listitem").filter({ hasText: "Laptop" });
  await expect(renamed).toContainText("last used");
  await renamed.getByText("Remove", { exact: true }).click();
  await renamed.getByRole("button", { name: "Remove passkey" }).click();
  await expect(renamed).toHaveCount(0);
});
