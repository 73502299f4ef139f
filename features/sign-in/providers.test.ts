import { expect, test } from "vitest";
import { completeClaims, createProviders, toProfile } from "@/features/sign-in/providers";

const ISSUER = "https://id.example.com";

test("An address counts only if the provider has verified it", () => {
  const email = "Someone@Example.com";
  const readEmail = (email_verified: unknown) => toProfile({ sub: "1", email, email_verified }, ISSUER).email;
  expect([true, "true"].map(readEmail)).toEqual(["someone@example.com", "someone@example.com"]);
  expect([undefined, false, "false", 1, "yes", null].map(readEmail)).toEqual(Array(6).fill(null));
  expect(toProfile({ sub: "1", email: 7, email_verified: true }, ISSUER).email).toBeNull();
});

test("The issuer and the time of sign-in come from the claims", () => {
  expect(toProfile({ sub: "1", iss: "https://a.example.com", auth_time: 1_700_000_000 }, ISSUER)).toEqual({
    id: "1",
    issuer: "https://a.example.com",
    email: null,
    hostedDomain: null,
    groups: [],
    authTimeMs: 1_700_000_000_000,
  });
  expect(toProfile({ sub: "1", auth_time: "soon" }, ISSUER)).toMatchObject({ issuer: ISSUER, authTimeMs: null });
  // A subject that is not a string is no subject.
  expect(toProfile({ sub: 7 }, ISSUER).id).toBe("");
});

test("Groups are the texts of the claim that the settings name", () => {
  const readGroups = (groups: unknown) =>
    toProfile({ sub: "1", "https://a.example/roles": groups }, ISSUER, "https://a.example/roles").groups;
  expect(readGroups(["desk", 7, null, "risk"])).toEqual(["desk", "risk"]);
  expect(readGroups("desk")).toEqual(["desk"]);
  expect([undefined, null, { desk: true }].map(readGroups)).toEqual([[], [], []]);
  expect(toProfile({ sub: "1", groups: ["desk"] }, ISSUER, "roles").groups).toEqual([]);
});

test("An address and its verification are of the same place", () => {
  const token = { sub: "1", email: "a@example.com" };
  const userinfo = { sub: "1", email: "b@example.com", email_verified: true, groups: ["desk"] };
  expect(completeClaims(token, userinfo, "groups")).toEqual({ ...token, email_verified: undefined, groups: ["desk"] });
  expect(completeClaims({ sub: "1", groups: ["risk"] }, userinfo, "groups")).toEqual({ ...userinfo, groups: ["risk"] });
});

const client = { clientId: "a", clientSecret: "b" };
const oidc = { ...client, issuer: ISSUER, name: "Keyring", scope: "openid email", groupsClaim: "groups" };
const required = { domains: [], groups: [], organisations: [] };

test("Memberships are requested from GitHub only if an organisation is required", () => {
  const readScope = (organisations: string[]) => {
    const [provider] = createProviders({
      oidc: null,
      google: null,
      github: client,
      required: { ...required, organisations },
    });
    return JSON.stringify((provider?.options as { authorization?: unknown }).authorization);
  };
  expect(readScope([])).not.toContain("read:org");
  expect(readScope(["desk"])).toContain("read:user user:email read:org");
});

test("Every provider is checked with all that it supports", () => {
  const all = createProviders({ oidc, google: client, github: client, required });
  const checks = all.map((provider) => ({ checks: [], ...provider, ...provider.options }) as { checks: string[] });
  expect(checks.map((provider) => provider.checks)).toEqual([
    ["pkce", "state", "nonce"],
    ["pkce", "state", "nonce"],
    ["pkce", "state"],
  ]);
});
