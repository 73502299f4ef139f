import { expect, test } from "vitest";
import { createProviders, toProfile } from "@/features/sign-in/providers";

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
    authTimeMs: 1_700_000_000_000,
  });
  expect(toProfile({ sub: "1", auth_time: "soon" }, ISSUER)).toMatchObject({ issuer: ISSUER, authTimeMs: null });
  // A subject that is not a string is no subject.
  expect(toProfile({ sub: 7 }, ISSUER).id).toBe("");
});

test("Every provider is checked with all that it supports", () => {
  const client = { clientId: "a", clientSecret: "b" };
  const all = createProviders({ oidc: { ...client, issuer: ISSUER, name: "Keyring" }, google: client, github: client });
  const checks = all.map((provider) => ({ checks: [], ...provider, ...provider.options }) as { checks: string[] });
  expect(checks.map((provider) => provider.checks)).toEqual([
    ["pkce", "state", "nonce"],
    ["pkce", "state", "nonce"],
    ["pkce", "state"],
  ]);
});
