import { Secret, TOTP } from "otpauth";
import { expectAccessible } from "@/e2e/journeys/accessible";
import { withAccount } from "@/e2e/journeys/accounts";
import { addAccount, expect, openVisitor, PASSWORD, submitAccount, test } from "@/e2e/journeys/fixtures";
import { continueAs, signInThere, startProviderPlace } from "@/e2e/journeys/provider-fixtures";
import { withAccess } from "@/e2e/support/access";
import type { IdentityProvider } from "@/e2e/support/identity-provider";
import type { Spotline } from "@/e2e/support/spotline";

// A fixture of the worker would need a worker, a browser and a common server of its own.
let own: Spotline;
let provider: IdentityProvider;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  ({ own, provider } = await startProviderPlace());
});
test.afterAll(async () => {
  await own.stop();
  await provider.stop();
});

test("A new person with a verified address gets an account without a password", async ({ context }) => {
  const page = await openVisitor(context);
  await continueAs(page, own, "first");
  await expect(page).toHaveURL(/\/keys$/);
  const request = provider.requests.at(-1);
  expect(request?.get("code_challenge_method")).toBe("S256");
  for (const name of ["code_challenge", "state", "nonce"]) expect(request?.get(name)?.length).toBeGreaterThan(20);
  const all = await withAccess(own.place, ({ accounts }) => accounts.list());
  expect(all).toMatchObject([{ role: "operator" }, { email: "first@example.com", role: "member" }]);

  // Unlinking needs a confirmation. Without a password that is a new sign-in with the provider.
  await page.goto(`${own.url}/account`);
  await expect(page.getByText("This account has no password yet.")).toBeVisible();
  await page.getByText("Unlink", { exact: true }).click();
  const again = page.getByRole("link", { name: "Sign in again with Keyring" });
  await again.first().click();
  await signInThere(page, "first");
  await expect(page).toHaveURL(/\/account$/);
  await page.getByText("Unlink", { exact: true }).click();
  await page.getByRole("button", { name: "Unlink Keyring" }).click();
  await expect(page.getByText("This is your only way to sign in: set a password first.")).toBeVisible();
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set a password" }).click();
  await expect(page.getByLabel("Current password")).toBeVisible();
  await page.close();

  const byPassword = await openVisitor(context);
  await byPassword.goto(`${own.url}/sign-in`);
  await submitAccount(byPassword, "first@example.com", PASSWORD);
  await expect(byPassword).toHaveURL(/\/overview$/);
});

test("An account with the same address can be linked with its password and unlinked again", async ({
  browser,
  context,
}) => {
  const email = "owner@example.com";
  await addAccount(own, email);

  const page = await openVisitor(context);
  await continueAs(page, own, "owner");
  await expect(page).toHaveURL(/\/sign-in\/link$/);
  await expectAccessible(page, "/sign-in/link");
  await page.goto(`${own.url}/keys`);
  await expect(page).toHaveURL(/\/sign-in\?/);
  await page.goto(`${own.url}/sign-in/link`);
  await page.getByRole("textbox", { name: "Password" }).fill("not the password");
  await page.getByRole("button", { name: "Link and sign in" }).click();
  await expect(page.getByText("The password is not right.")).toBeVisible();
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Link and sign in" }).click();
  await expect(page).toHaveURL(/\/keys$/);
  await page.close();

  // From now on no password is needed. This browser has no scripts.
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await continueAs(plain, own, "owner");
  await expect(plain).toHaveURL(/\/keys$/);
  await plain.goto(`${own.url}/account`);
  await plain.getByText("Unlink", { exact: true }).click();
  await plain.locator("li").getByLabel("Your password").fill(PASSWORD);
  await plain.getByRole("button", { name: "Unlink Keyring" }).click();
  await expect(plain.getByText("Enter your password once to link the two")).toBeVisible();
  await plain.context().close();

  const later = await openVisitor(context);
  await continueAs(later, own, "owner");
  await expect(later).toHaveURL(/\/sign-in\/link$/);
});

test("An invitation can be accepted with a provider, but only by its address", async ({ context }) => {
  const invite = async (email: string) => {
    const command = ["invitation", "create", "--email", email, "--plan", "pro"];
    const { link } = await own.cli<{ link: string }>(...command);
    return link;
  };
  const accept = async (link: string, name: string) => {
    const page = await openVisitor(context);
    await page.goto(link);
    await page.getByRole("link", { name: "Continue with Keyring" }).click();
    await signInThere(page, name);
    return page;
  };
  const link = await invite("guest@example.com");
  const otherPerson = await accept(link, "somebody");
  await expect(otherPerson.getByText("The invitation is for a different e-mail address")).toBeVisible();
  await otherPerson.close();
  const guest = await accept(link, "guest");
  await expect(guest).toHaveURL(/\/overview$/);
  const account = await withAccount(own, "guest@example.com", ({ accounts }, id) => accounts.find(id));
  expect(account).toMatchObject({ plan: "pro" });
  await guest.close();
  const late = await openVisitor(context);
  await late.goto(link);
  await expect(late.getByRole("heading", { level: 1 })).toHaveText("This invitation is no longer valid");
});

test("A sign-in with a provider also needs the second factor", async ({ context }) => {
  const page = await openVisitor(context);
  await continueAs(page, own, "careful");
  await page.goto(`${own.url}/account/second-factor`);
  await page.getByRole("link", { name: "Sign in again with Keyring" }).click();
  await signInThere(page, "careful");
  await expect(page).toHaveURL(/\/account\/second-factor$/);
  await page.getByRole("button", { name: "Set up" }).click();
  const secret = ((await page.locator("#totp-secret").textContent()) ?? "").replaceAll(" ", "");
  const codeIn = (ms: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ms });
  await page.getByLabel("Code that the app shows").fill(codeIn(0));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.locator("#recovery-codes li")).toHaveCount(10);
  await page.close();

  const later = await openVisitor(context);
  await continueAs(later, own, "careful");
  await expect(later).toHaveURL(/\/sign-in\/code$/);
  await later.getByLabel("Code from your app").fill(codeIn(30_000));
  await later.getByRole("button", { name: "Sign in" }).click();
  await expect(later).toHaveURL(/\/keys$/);
});

test("Only people of the required domain and group are let in, at every sign-in", async ({ context }) => {
  const stranger = await openVisitor(context);
  await continueAs(stranger, own, "stranger@elsewhere.example");
  await expect(stranger.getByText("Only people of certain e-mail domains may sign in here.")).toBeVisible();
  await expectAccessible(stranger, "/sign-in?error=domain");
  await stranger.close();

  const member = await openVisitor(context);
  await continueAs(member, own, "leaver");
  await expect(member).toHaveURL(/\/keys$/);
  provider.setGroups("leaver", ["everyone"]);
  // A new confirmation is refused as well, while the session goes on.
  await member.goto(`${own.url}/account`);
  await member.getByText("Unlink", { exact: true }).click();
  await member.getByRole("link", { name: "Sign in again with Keyring" }).first().click();
  await signInThere(member, "leaver");
  await expect(member.getByText("You are not in a group that may sign in here.")).toBeVisible();
  await member.close();

  const later = await openVisitor(context);
  await continueAs(later, own, "leaver");
  await expect(later).toHaveURL(/\/sign-in\?error=group$/);
  await expect(later.getByText("You are not in a group that may sign in here.")).toBeVisible();
  await later.goto(`${own.url}/keys`);
  await expect(later).toHaveURL(/\/sign-in\?next/);
  const { events } = await own.cli<{ events: { event: string; address: string; after: object }[] }>(
    "audit",
    "list",
    "--account",
    "leaver@example.com",
    "--limit",
    "1",
  );
  const after = { provider: "oidc", problem: "group" };
  expect(events).toMatchObject([{ event: "account.refuse_sign_in", address: "127.0.0.1", after }]);
  await expect.poll(own.output).toMatch(/"reason":"single_sign_on","detail":"domain","address":"127\.0\.0\.1"/);
  provider.setGroups("leaver", ["risk"]);
  // The provider still knows who uses this browser.
  await later.goto(`${own.url}/sign-in?next=%2Fkeys`);
  await later.getByRole("link", { name: "Continue with Keyring" }).click();
  await expect(later).toHaveURL(/\/keys$/);
});

test("An unverified address and a reply for another browser are refused", async ({ context }) => {
  const page = await openVisitor(context);
  await continueAs(page, own, "unverified-1");
  await expect(page.getByText("or has not verified it")).toBeVisible();
  await page.close();

  // An attacker could plant an unused reply that was requested in another browser.
  const attacker = await openVisitor(context);
  await attacker.goto(`${own.url}/sign-in`);
  await attacker.getByRole("link", { name: "Continue with Keyring" }).click();
  await attacker.locator('input[name="login"]').fill("thief");
  await attacker.locator('input[name="password"]').fill("anything");
  await attacker.locator('button[type="submit"]').click();
  await attacker.getByRole("button", { name: "Continue" }).waitFor();
  const consent = await attacker
    .locator("form")
    .first()
    .evaluate((form: HTMLFormElement) => ({
      action: form.action,
      fields: [...new FormData(form)] as [string, string][],
    }));
  const form = Object.fromEntries(consent.fields);
  let planted = (await attacker.request.post(consent.action, { form, maxRedirects: 0 })).headers()["location"] ?? "";
  while (!planted.startsWith(own.url)) {
    planted = (await attacker.request.get(planted, { maxRedirects: 0 })).headers()["location"] ?? own.url;
  }
  expect(planted).toMatch(/\/api\/auth\/callback\/oidc\?.*code=/);
  await attacker.close();
  const victim = await openVisitor(context);
  for (const url of [planted, planted.replace(/state=[^&]+/, "state=another")]) {
    await victim.goto(url);
    await expect(victim.getByText("with the provider failed")).toBeVisible();
  }
  await victim.goto(`${own.url}/sign-in`);
  const started = await victim.request.get(`${own.url}/sign-in/with/oidc`, { maxRedirects: 0 });
  expect(started.status()).toBe(302);
  await victim.goto(planted);
  await expect(victim.getByText("with the provider failed")).toBeVisible();
  await victim.goto(`${own.url}/keys`);
  await expect(victim).toHaveURL(/\/sign-in\?/);
});

test("Providers that are not configured are not offered", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("link", { name: /Continue with/ })).toHaveCount(0);
  for (const path of ["/sign-in/with/oidc", "/sign-in/with/github", "/api/auth/callback/oidc?code=1&state=2"]) {
    expect((await page.request.get(path, { maxRedirects: 0 })).status()).toBe(404);
  }
});
