import type { Profile } from "next-auth";
import github from "next-auth/providers/github";
import google from "next-auth/providers/google";
import type { Provider } from "next-auth/providers/index";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { readGitHubProfile } from "@/features/sign-in/github-profile";
import type { ProviderSettings } from "@/lib/platform/settings/provider-settings";

/** The identity providers of an installation, as NextAuth needs them. */

/** A provider's claims about a person who has signed in there. */
export interface ProviderProfile {
  /** The provider's permanent id of the person. */
  readonly id: string;
  readonly issuer: string;
  /** In lower case; null if the provider has not verified one. */
  readonly email: string | null;
  /** When the person last signed in to the provider; null if it does not say. */
  readonly authTimeMs: number | null;
}

/** The OpenID Connect claims that are used here. Their types depend on the provider. */
interface Claims {
  readonly sub?: unknown;
  readonly iss?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly auth_time?: unknown;
}

export function toProfile(
  { sub, iss, email, email_verified: verified, auth_time: authTime }: Claims,
  issuer: string,
): ProviderProfile {
  // Some providers send the boolean as a string.
  const isVerified = typeof email === "string" && (verified === true || verified === "true");
  return {
    id: typeof sub === "string" ? sub : "",
    issuer: typeof iss === "string" ? iss : issuer,
    email: isVerified ? email.trim().toLowerCase() : null,
    authTimeMs: typeof authTime === "number" ? authTime * 1_000 : null,
  };
}

const GITHUB = "https://github.com";
const GOOGLE = "https://accounts.google.com";

export function createProviders(settings: ProviderSettings): Provider[] {
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
        // Many providers leave the address out of the ID token.
        async request({ tokens, client: provider }) {
          // NextAuth passes openid-client's TokenSet, whose ID token is checked, but its type lacks `claims`.
          const claims = (tokens as unknown as { claims(): Profile }).claims();
          if (claims.email !== undefined || tokens.access_token === undefined) return claims;
          if (provider.issuer.metadata.userinfo_endpoint === undefined) return claims;
          const { email, email_verified } = await provider.userinfo(tokens.access_token);
          return { ...claims, email, email_verified } as Profile;
        },
      },
      profile: (claims) => toProfile(claims, issuer),
    };
    providers.push(provider);
  }
  if (settings.google !== null) {
    const profile = (claims: Claims) => toProfile(claims, GOOGLE);
    providers.push(google({ ...settings.google, checks: ["pkce", "state", "nonce"], profile }));
  }
  if (settings.github !== null) {
    const userinfo = {
      request: async ({ tokens }: { tokens: { access_token?: string | undefined } }) =>
        readGitHubProfile(tokens.access_token ?? ""),
    };
    const profile = (claims: Claims) => toProfile(claims, GITHUB);
    providers.push(github({ ...settings.github, checks: ["pkce", "state"], userinfo, profile }));
  }
  return providers;
}

/** Returns the configured providers with the names on their buttons. */
export function listProviders(settings: ProviderSettings): { id: string; name: string }[] {
  return [
    ...(settings.oidc === null ? [] : [{ id: "oidc", name: settings.oidc.name }]),
    ...(settings.google === null ? [] : [{ id: "google", name: "Google" }]),
    ...(settings.github === null ? [] : [{ id: "github", name: "GitHub" }]),
  ];
}
