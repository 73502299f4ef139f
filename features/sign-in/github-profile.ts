import { z } from "zod";

/** GitHub offers OAuth without OpenID Connect, so the profile is read from its API. */

const userReply = z.object({ id: z.number().int() });
const emailsReply = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

const GITHUB_API = "https://api.github.com";
const TIMEOUT_MS = 5_000;

/** Reads the person's id, and the primary address and whether GitHub has verified it. Rejects for an invalid reply. */
export async function readGitHubProfile(accessToken: string, api = GITHUB_API) {
  const read = async (path: string): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${accessToken}`, Accept: "application/vnd.github+json" };
    const answer = await fetch(api + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`GitHub answered ${path} with ${answer.status}.`);
    return answer.json();
  };
  const { id } = userReply.parse(await read("/user"));
  // The address in the public profile may be unverified; only this list says which address is verified.
  const primary = emailsReply.parse(await read("/user/emails")).find((email) => email.primary);
  return { sub: String(id), email: primary?.email, email_verified: primary?.verified ?? false };
}
