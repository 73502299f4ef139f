import { expect, test } from "vitest";
import type { ProviderProfile } from "@/features/sign-in/providers";
import { findMembershipProblem } from "@/features/sign-in/single-sign-on";

const nothing = { domains: [], groups: [], organisations: [] };
const person: ProviderProfile = {
  id: "1",
  issuer: "https://id.example.com",
  email: "ada@example.com",
  hostedDomain: null,
  groups: [],
  authTimeMs: null,
};

test("Without a requirement everyone may sign in", () => {
  for (const provider of ["oidc", "google", "github"]) {
    expect(findMembershipProblem({ ...person, email: null }, provider, nothing)).toBeNull();
  }
});

test("A required domain is that of the verified address, and no other one that looks like it", () => {
  const required = { ...nothing, domains: ["example.com", "example.org"] };
  const check = (email: string | null) => findMembershipProblem({ ...person, email }, "oidc", required);
  expect([check("ada@example.com"), check("ada@example.org")]).toEqual([null, null]);
  const others = [null, "ada@evil.com", "ada@sub.example.com", "ada@notexample.com", "ada@example.com.evil.com"];
  for (const email of [...others, '"ada@example.com"@evil.com', "ada@example.com@evil.com"]) {
    expect(check(email), String(email)).toBe("domain");
  }
});

test("At Google the account must be of the domain's Workspace too", () => {
  const required = { ...nothing, domains: ["example.com"], groups: ["desk"] };
  const check = (hostedDomain: string | null, email = person.email) =>
    findMembershipProblem({ ...person, email, hostedDomain }, "google", required);
  expect(check("example.com")).toBeNull();
  expect([check(null), check("evil.com"), check("example.com", "ada@evil.com")]).toEqual([
    "domain",
    "domain",
    "domain",
  ]);
});

test("One of the required groups is enough, but a domain is needed as well", () => {
  const required = { ...nothing, domains: ["example.com"], groups: ["desk", "risk"] };
  const check = (groups: string[], email = person.email) =>
    findMembershipProblem({ ...person, email, groups }, "oidc", required);
  expect([check(["staff", "risk"]), check(["staff"]), check([]), check(["Desk"])]).toEqual([
    null,
    "group",
    "group",
    "group",
  ]);
  expect(check(["desk"], "ada@evil.com")).toBe("domain");
});

test("GitHub has a requirement of its own", () => {
  const required = { domains: ["example.com"], groups: ["desk"], organisations: ["example-company"] };
  const check = (groups: string[]) => findMembershipProblem({ ...person, email: null, groups }, "github", required);
  expect([check(["example-company"]), check([]), check(["desk"])]).toEqual([null, "organisation", "organisation"]);
});
