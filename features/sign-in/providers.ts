import type { Profile } from "next-auth";
import github from "next-auth/providers/github";
import google from "next-auth/providers/google";
import type { Provider } from "next-auth/providers/index";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { readGitHubProfile } from "@/features/sign-in/github-profile";
import type { ProviderSettings } from "@/lib/platform/provider-settings";

/** The providers of an installation, as NextAuth takes them. */

/** What a provider says of whoever has signed in there. */
export interface Told {
  /** The provider's own name for the person, which never changes. */
  readonly id: string;
  readonly issuer: string;
  /** Lower case; null where the provider does not vouch for one. */
  readonly email: string | null;
  /** When the person last proved to the provider who they are; null where it does not say. */
  readonly authTimeMs: number | null;
}

/** The claims of OpenID Connect that matter here. Providers write them as they like. */
interface Claims {
  readonly sub?: unknown;
  readonly iss?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly auth_time?: unknown;
}

export function toldOf(
  { sub, iss, email, email_verified: verified, auth_time: authTime }: Claims,
  issuer: string,
): Told {
  // Some providers write the boolean as a word.
  const isVouchedFor = typeof email === "string" && (verified === true || verified === "true");
  return {
    id: typeof sub === "string" ? sub : "",
    issuer: typeof iss === "string" ? iss : issuer,
    email: isVouchedFor ? email.trim().toLowerCase() : null,
    authTimeMs: typeof authTime === "number" ? authTime * 1_000 : null,
  };
}

const GITHUB = "https://github.com";
const GOOGLE = "https://accounts.google.com";

export function nextAuthProviders(settings: ProviderSettings): Provider[] {
  const providers: Provider[] = [];
  if (settings.oidc !== null) {
    const { issuer, name, ...client } = settings.oidc;
    const provider: OAuthConfig<Claims> = {
      id: "oidc",
      name,
      type: "oauth",
      ...client,
      wellKnown: `${issuer}/.well-known/openid-configuration`,
      authorization: { params: { scope: "openid email" } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      userinfo: {
        // Many providers keep the address out of the ID token.
        async request({ tokens, client: provider }) {
          // NextAuth passes openid-client's own set of tokens, whose ID token has been checked, and types it as less.
          const claims = (tokens as unknown as { claims(): Profile }).claims();
          if (claims.email !== undefined || tokens.access_token === undefined) return claims;
          if (provider.issuer.metadata.userinfo_endpoint === undefined) return claims;
          const { email, email_verified } = await provider.userinfo(tokens.access_token);
          return { ...claims, email, email_verified } as Profile;
        },
      },
      profile: (claims) => toldOf(claims, issuer),
    };
    providers.push(provider);
  }
  if (settings.google !== null) {
    const profile = (claims: Claims) => toldOf(claims, GOOGLE);
    providers.push(google({ ...settings.google, checks: ["pkce", "state", "nonce"], profile }));
  }
  if (settings.github !== null) {
    const userinfo = {
      request: async ({ tokens }: { tokens: { access_token?: string | undefined } }) =>
        readGitHubProfile(tokens.access_token ?? ""),
    };
    const profile = (claims: Claims) => toldOf(claims, GITHUB);
    providers.push(github({ ...settings.github, checks: ["pkce", "state"], userinfo, profile }));
  }
  return providers;
}

/** What each is called on a button. */
export function providerNames(settings: ProviderSettings): { id: string; name: string }[] {
  return [
    ...(settings.oidc === null ? [] : [{ id: "oidc", name: settings.oidc.name }]),
    ...(settings.google === null ? [] : [{ id: "google", name: "Google" }]),
    ...(settings.github === null ? [] : [{ id: "github", name: "GitHub" }]),
  ];
}
