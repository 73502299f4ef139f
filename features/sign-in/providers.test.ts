import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completeClaims, createProviders, readGitHubProfile, toProfile } from "@/features/sign-in/providers";

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

/** A server that answers one token like api.github.com. */
let server: Server;
let api = "";
let emails: unknown = [];
const memberships: Record<string, [status: number, body: unknown]> = {
  desk: [200, { state: "active", role: "member" }],
  invited: [200, { state: "pending" }],
  closed: [403, { message: "Resource protected by organization SAML enforcement" }],
  broken: [500, {}],
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const isKnown = request.headers.authorization === "Bearer gho_right";
    const organisation = /^\/user\/memberships\/orgs\/(.+)/.exec(request.url ?? "")?.[1];
    const user = { id: 583231, login: "octocat", email: "shown@example.com" };
    const [status, found] = memberships[organisation ?? ""] ?? [404, { message: "Not Found" }];
    const body = organisation !== undefined ? found : request.url === "/user" ? user : emails;
    response.writeHead(!isKnown ? 401 : organisation === undefined ? 200 : status, {
      "Content-Type": "application/json",
    });
    response.end(JSON.stringify(isKnown ? body : { message: "Bad credentials" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const other = { email: "other@example.com", primary: false, verified: true, visibility: null };

test("The profile has the primary address and whether GitHub verified it, never the public one", async () => {
  emails = [other, { email: "own@example.com", primary: true, verified: true, visibility: "private" }];
  expect(await readGitHubProfile("gho_right", [], api)).toEqual({
    sub: "583231",
    email: "own@example.com",
    email_verified: true,
    groups: [],
  });
  emails = [other, { email: "own@example.com", primary: true, verified: false, visibility: "private" }];
  expect(await readGitHubProfile("gho_right", [], api)).toMatchObject({ email_verified: false });
  emails = [other];
  expect(await readGitHubProfile("gho_right", [], api)).toMatchObject({ email: undefined, email_verified: false });
});

test("An invalid reply from GitHub is an error", async () => {
  await expect(readGitHubProfile("gho_wrong", [], api)).rejects.toThrow("401");
  emails = { message: "Not Found" };
  await expect(readGitHubProfile("gho_right", [], api)).rejects.toThrow();
});

test("Only organisations in which the membership is active count, and others are not requested", async () => {
  emails = [other];
  const read = async (...names: string[]) => (await readGitHubProfile("gho_right", names, api)).groups;
  expect(await read("invited", "closed", "desk", "unknown")).toEqual(["desk"]);
  expect(await read("unknown")).toEqual([]);
  await expect(read("broken")).rejects.toThrow("GitHub answered a question about broken with 500.");
});
