import { expect, test } from "vitest";
import { loadConfig } from "@/lib/platform/config";

const oidc = {
  SPOTLINE_OIDC_ISSUER: "https://id.example.com/realms/desk/",
  SPOTLINE_OIDC_CLIENT_ID: "spotline",
  SPOTLINE_OIDC_CLIENT_SECRET: "secret",
};

test("No sign-in provider is configured by default", () => {
  expect(loadConfig({}).providers).toEqual({ oidc: null, github: null, google: null });
  expect(loadConfig({ ...oidc, SPOTLINE_GITHUB_ID: "a", SPOTLINE_GITHUB_SECRET: "b" }).providers).toEqual({
    oidc: {
      issuer: "https://id.example.com/realms/desk",
      clientId: "spotline",
      clientSecret: "secret",
      name: "single sign-on",
    },
    github: { clientId: "a", clientSecret: "b" },
    google: null,
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
