import { expect, test } from "vitest";
import { loadConfig } from "@/lib/platform/config";

const oidc = {
  SPOTLINE_OIDC_ISSUER: "https://id.example.com/realms/desk/",
  SPOTLINE_OIDC_CLIENT_ID: "spotline",
  SPOTLINE_OIDC_CLIENT_SECRET: "secret",
};

const required = { domains: [], groups: [], organisations: [] };

test("No sign-in provider is configured by default", () => {
  expect(loadConfig({}).providers).toEqual({ oidc: null, github: null, google: null, required });
  expect(loadConfig({ ...oidc, SPOTLINE_GITHUB_ID: "a", SPOTLINE_GITHUB_SECRET: "b" }).providers).toEqual({
    oidc: {
      issuer: "https://id.example.com/realms/desk",
      clientId: "spotline",
      clientSecret: "secret",
      name: "single sign-on",
      scope: "openid email",
      groupsClaim: "groups",
    },
    github: { clientId: "a", clientSecret: "b" },
    google: null,
    required,
  });
});

test("The missing settings of an incomplete provider are reported", () => {
  expect(() => loadConfig({ ...oidc, SPOTLINE_OIDC_CLIENT_SECRET: "" })).toThrow(
    "SPOTLINE_OIDC_CLIENT_SECRET: needed with SPOTLINE_OIDC_ISSUER and SPOTLINE_OIDC_CLIENT_ID",
  );
  expect(() => loadConfig({ SPOTLINE_GOOGLE_ID: "a" })).toThrow(
    "SPOTLINE_GOOGLE_SECRET: needed with SPOTLINE_GOOGLE_ID",
  );
});

test("An issuer that is neither https nor on this machine is refused", () => {
  const issuer = (url: string) => loadConfig({ ...oidc, SPOTLINE_OIDC_ISSUER: url }).providers.oidc?.issuer;
  expect(issuer("http://127.0.0.1:4000")).toBe("http://127.0.0.1:4000");
  for (const url of [
    "http://id.example.com",
    "http://127.0.0.1.example.com",
    "id.example.com",
    "ftp://id.example.com",
  ]) {
    expect(() => issuer(url)).toThrow("SPOTLINE_OIDC_ISSUER");
  }
});

test("The required domains, groups and organisations are lists", () => {
  const github = { SPOTLINE_GITHUB_ID: "a", SPOTLINE_GITHUB_SECRET: "b" };
  const { providers } = loadConfig({
    ...oidc,
    ...github,
    SPOTLINE_OIDC_SCOPE: "openid email groups",
    SPOTLINE_OIDC_GROUPS_CLAIM: "roles",
    SPOTLINE_OIDC_REQUIRED_DOMAINS: "Example.com, example.org,",
    SPOTLINE_OIDC_REQUIRED_GROUPS: "Risk desk,traders",
    SPOTLINE_GITHUB_REQUIRED_ORGANISATIONS: "Example-Company",
  });
  expect(providers.oidc).toMatchObject({ scope: "openid email groups", groupsClaim: "roles" });
  expect(providers.required).toEqual({
    domains: ["example.com", "example.org"],
    groups: ["Risk desk", "traders"],
    organisations: ["example-company"],
  });
});

test.each([
  [{ ...oidc, SPOTLINE_OIDC_REQUIRED_DOMAINS: " , " }, "SPOTLINE_OIDC_REQUIRED_DOMAINS: must be names"],
  [{ ...oidc, SPOTLINE_OIDC_REQUIRED_DOMAINS: "@example.com" }, "SPOTLINE_OIDC_REQUIRED_DOMAINS"],
  [{ ...oidc, SPOTLINE_OIDC_SCOPE: "email" }, "SPOTLINE_OIDC_SCOPE: must be names separated by spaces, with openid"],
  [{ SPOTLINE_OIDC_REQUIRED_DOMAINS: "example.com" }, "needed with SPOTLINE_OIDC_REQUIRED_DOMAINS"],
  [{ SPOTLINE_OIDC_REQUIRED_GROUPS: "desk" }, "SPOTLINE_OIDC_ISSUER: needed with SPOTLINE_OIDC_REQUIRED_GROUPS"],
  [{ ...oidc, SPOTLINE_GITHUB_REQUIRED_ORGANISATIONS: "a" }, "SPOTLINE_GITHUB_ID: needed with"],
  [{ ...oidc, SPOTLINE_GITHUB_REQUIRED_ORGANISATIONS: "a/b" }, "SPOTLINE_GITHUB_REQUIRED_ORGANISATIONS"],
])("A requirement that would admit everyone is refused: %o", (settings, message) => {
  expect(() => loadConfig(settings)).toThrow(message);
});
