import type { Profile } from "next-auth";
import github from "next-auth/providers/github";
import google from "next-auth/providers/google";
import type { Provider } from "next-auth/providers/index";
import type { OAuthConfig } from "next-auth/providers/oauth";
import * as z from "zod";
import type { ProviderSettings } from "@/lib/platform/settings/provider-settings";

/** The identity providers of an installation, as NextAuth needs them. */

/** A provider's claims about a person who has signed in there. */
export interface ProviderProfile {
  /** The provider's permanent id of the person. */
  readonly id: string;
  readonly issuer: string;
  /** In lower case; null if the provider has not verified one. */
  readonly email: string | null;
  /** The Google Workspace of the person; null without one. */
  readonly hostedDomain: string | null;
  /** The person's groups, or on GitHub those of the required organisations that they are a member of. */
  readonly groups: readonly string[];
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
  /** Google's hosted domain. */
  readonly hd?: unknown;
  /** Others, such as the one with the groups. */
  readonly [name: string]: unknown;
}

export function toProfile(claims: Claims, issuer: string, groupsClaim = "groups"): ProviderProfile {
  const { sub, iss, email, email_verified: verified, auth_time: authTime, hd } = claims;
  // Some providers send the boolean as a string.
  const isVerified = typeof email === "string" && (verified === true || verified === "true");
  return {
    id: typeof sub === "string" ? sub : "",
    issuer: typeof iss === "string" ? iss : issuer,
    email: isVerified ? email.trim().toLowerCase() : null,
    hostedDomain: typeof hd === "string" ? hd.toLowerCase() : null,
    groups: [claims[groupsClaim]].flat().filter((group) => typeof group === "string"),
    authTimeMs: typeof authTime === "number" ? authTime * 1_000 : null,
  };
}

/**
 * Adds what the ID token left out. The address and whether it is verified are of one place: one place's flag says nothing
 * about the other's address.
 */
export function completeClaims(claims: Claims, userinfo: Claims, groupsClaim: string): Claims {
  const { email, email_verified } = claims.email === undefined ? userinfo : claims;
  return { ...claims, email, email_verified, [groupsClaim]: claims[groupsClaim] ?? userinfo[groupsClaim] };
}

const GITHUB = "https://github.com";
const GOOGLE = "https://accounts.google.com";

export function createProviders(settings: ProviderSettings): Provider[] {
  const providers: Provider[] = [];
  if (settings.oidc !== null) {
    const { issuer, name, scope, groupsClaim, ...client } = settings.oidc;
    const needsGroups = settings.required.groups.length > 0;
    const provider: OAuthConfig<Claims> = {
      id: "oidc",
      name,
      type: "oauth",
      ...client,
      wellKnown: `${issuer}/.well-known/openid-configuration`,
      authorization: { params: { scope } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      userinfo: {
        // Many providers leave the address and the groups out of the ID token.
        async request({ tokens, client: provider }) {
          // NextAuth passes openid-client's TokenSet, whose ID token is checked, but its type lacks `claims`.
          const claims: Claims = (tokens as unknown as { claims(): Profile }).claims() as Claims;
          const isComplete = claims.email !== undefined && (!needsGroups || claims[groupsClaim] !== undefined);
          const hasUserinfo = provider.issuer.metadata.userinfo_endpoint !== undefined;
          if (isComplete || tokens.access_token === undefined || !hasUserinfo) return claims as Profile;
          const userinfo: Claims = await provider.userinfo(tokens.access_token);
          return completeClaims(claims, userinfo, groupsClaim) as Profile;
        },
      },
      profile: (claims) => toProfile(claims, issuer, groupsClaim),
    };
    providers.push(provider);
  }
  if (settings.google !== null) {
    const profile = (claims: Claims) => toProfile(claims, GOOGLE);
    providers.push(google({ ...settings.google, checks: ["pkce", "state", "nonce"], profile }));
  }
  if (settings.github !== null) {
    const { organisations } = settings.required;
    const userinfo = {
      request: async ({ tokens }: { tokens: { access_token?: string | undefined } }) =>
        readGitHubProfile(tokens.access_token ?? "", organisations),
    };
    // Without this scope GitHub tells only of public memberships.
    const scope = `read:user user:email${organisations.length > 0 ? " read:org" : ""}`;
    const authorization = { params: { scope } };
    const profile = (claims: Claims) => toProfile(claims, GITHUB);
    providers.push(github({ ...settings.github, checks: ["pkce", "state"], authorization, userinfo, profile }));
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

/** GitHub offers OAuth without OpenID Connect, so the profile is read from its API. */

const userReply = z.object({ id: z.number().int() });
const emailsReply = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

const membershipReply = z.object({ state: z.string() });

const GITHUB_API = "https://api.github.com";
const TIMEOUT_MS = 5_000;

/**
 * Reads the person's id, the primary address and whether GitHub has verified it, and of which of these organisations the
 * person is a member. Rejects for an invalid reply.
 */
export async function readGitHubProfile(accessToken: string, organisations: readonly string[], api = GITHUB_API) {
  const get = (path: string) => {
    const headers = { Authorization: `Bearer ${accessToken}`, Accept: "application/vnd.github+json" };
    return fetch(api + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
  const read = async (path: string): Promise<unknown> => {
    const answer = await get(path);
    if (!answer.ok) throw new Error(`GitHub answered ${path} with ${answer.status}.`);
    return answer.json();
  };
  const isMember = async (organisation: string) => {
    const answer = await get(`/user/memberships/orgs/${organisation}`);
    // 403 if the organisation does not let this application see its members.
    if (answer.status === 404 || answer.status === 403) return false;
    if (!answer.ok) throw new Error(`GitHub answered a question about ${organisation} with ${answer.status}.`);
    // An invitation that was not accepted is "pending".
    return membershipReply.parse(await answer.json()).state === "active";
  };
  const { id } = userReply.parse(await read("/user"));
  // The address in the public profile may be unverified; only this list says which address is verified.
  const primary = emailsReply.parse(await read("/user/emails")).find((email) => email.primary);
  const memberships = await Promise.all(organisations.map(isMember));
  const groups = organisations.filter((_, index) => memberships[index]);
  return { sub: String(id), email: primary?.email, email_verified: primary?.verified ?? false, groups };
}
