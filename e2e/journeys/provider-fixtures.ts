import type { Page } from "@playwright/test";
import { addAccount } from "@/e2e/journeys/fixtures";
import { type IdentityProvider, startIdentityProvider } from "@/e2e/support/identity-provider";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { findFreePort } from "@/lib/platform/testing/free-port";

interface ProviderPlace {
  readonly provider: IdentityProvider;
  readonly own: Spotline;
}

/** Starts a server with an identity provider whose people of one domain and two groups may sign in. */
export async function startProviderPlace(): Promise<ProviderPlace> {
  const [port, providerPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider(`${url}/api/auth/callback/oidc`, providerPort);
  const env = {
    SPOTLINE_URL: url,
    SPOTLINE_OIDC_ISSUER: provider.issuer,
    SPOTLINE_OIDC_CLIENT_ID: provider.clientId,
    SPOTLINE_OIDC_CLIENT_SECRET: provider.clientSecret,
    SPOTLINE_OIDC_NAME: "Keyring",
    SPOTLINE_OIDC_REQUIRED_DOMAINS: "example.com",
    SPOTLINE_OIDC_REQUIRED_GROUPS: "risk, traders",
  };
  const own = await startTestServer({ port, env });
  await addAccount(own, "operator@example.com");
  return { provider, own };
}

/** Signs in on the provider's pages. */
export async function signInThere(page: Page, name: string): Promise<void> {
  await page.locator('input[name="login"]').fill(name);
  await page.locator('input[name="password"]').fill("anything");
  await page.locator('button[type="submit"]').click();
  const consent = page.getByRole("button", { name: "Continue" });
  const back = page.waitForURL(/\/(overview|keys|account|sign-in)\b/).then(() => "back");
  const consentShown = consent.waitFor().then(
    () => "consent",
    () => "back",
  );
  if ((await Promise.race([back, consentShown])) === "consent") await consent.click();
  await back;
}

export async function continueAs(page: Page, { url }: Spotline, name: string): Promise<void> {
  await page.goto(`${url}/sign-in?next=%2Fkeys`);
  await page.getByRole("link", { name: "Continue with Keyring" }).click();
  await signInThere(page, name);
}
