import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readGitHubProfile } from "@/features/sign-in/github-profile";

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
