import * as z from "zod";

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
