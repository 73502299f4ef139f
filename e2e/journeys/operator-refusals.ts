import type { Page, Request } from "@playwright/test";
import { createKey } from "@/e2e/journeys/accounts";
import { expect } from "@/e2e/journeys/fixtures";
import { readCookies, replay } from "@/e2e/journeys/forgery";
import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { createAuditLog } from "@/lib/access/audit/audit-log";

interface Visitors {
  readonly operator: Page;
  readonly operatorEmail: string;
  readonly member: Page;
  readonly memberEmail: string;
  /** What the operator's forms sent. */
  readonly posts: readonly Request[];
}

/** Expects that a member is refused every page, route and action of the operator that was used so far. */
export async function expectRefusedToMembers(
  spotline: Spotline,
  { operator, operatorEmail, member, memberEmail, posts }: Visitors,
): Promise<void> {
  const made = await createKey(spotline, memberEmail, "own");
  const paths = [
    "/status",
    "/operator/accounts",
    `/operator/accounts/${made.accountId}`,
    "/operator/keys",
    "/operator/plan-requests",
    "/operator/invitations",
    "/operator/terminals",
    "/operator/feeds",
    "/operator/feeds/data",
    "/operator/import",
    "/operator/import/data",
  ];
  for (const path of [...paths, `/operator/keys/${made.id}`, "/status/data"]) {
    expect((await operator.request.get(spotline.url + path)).status(), path).toBe(200);
    const refusal = await member.request.get(spotline.url + path);
    expect(refusal.status(), path).toBe(404);
    expect(await refusal.text(), path).not.toContain(operatorEmail);
  }
  await member.goto("/quotes");
  await expect(member.getByRole("link", { name: "API keys" })).not.toHaveCount(0);
  await expect(member.getByRole("link", { name: "Accounts" })).toHaveCount(0);

  const findLatest = () => withAccess(spotline.place, ({ database }) => createAuditLog(database).list({ limit: 1 }));
  const before = await findLatest();
  const cookie = await readCookies(member);
  const actions = new Map(posts.map((post) => [post.headers()["next-action"], post]));
  // Plan, limits, suspend, resume, close; disable, enable, revoke, restore; create and remove an invitation.
  expect(actions.size).toBe(11);
  for (const post of actions.values()) {
    for (const other of [cookie, ""]) expect(await replay(post, {}, other)).not.toContain('"done":true');
  }
  expect(await findLatest()).toEqual(before);
}
