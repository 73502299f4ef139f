import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { createInvitations, type Invitations } from "@/lib/access/accounts/invitations";
import type { SignUpMode } from "@/lib/access/accounts/sign-up";
import { anonymous, OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const PASSWORD = "correct horse battery";

describe.each(databaseKinds)("invitations in %s", (kind) => {
  let place: TestDatabase;
  let invitations: Invitations;
  let operatorId: string;
  let nowMs = Date.UTC(2026, 0, 15);
  const now = () => nowMs;
  const accountsWhen = (signUp: SignUpMode): Accounts =>
    createAccounts(place.db, { now, passwords: cheapPasswords, signUp });

  beforeAll(async () => {
    place = await openTestDatabase(kind);
    invitations = createInvitations(place.db, { now });
  });
  afterAll(() => place.cleanup());

  test("The first account may be created in every mode, and no other while sign-up is closed", async () => {
    const closed = accountsWhen("closed");
    const first = await closed.create({ email: "root@example.com", password: PASSWORD });
    expect(first).toMatchObject({ role: "operator" });
    operatorId = first.id;
    const next = { email: "next@example.com", password: PASSWORD };
    await expect(closed.create(next)).rejects.toMatchObject({ code: "sign_up_closed" });
    await expect(accountsWhen("invitation").create(next)).rejects.toMatchObject({ code: "sign_up_closed" });
    const { token } = await invitations.create({}, OPERATOR_CLI);
    await expect(closed.create({ ...next, invitation: token })).rejects.toMatchObject({ code: "sign_up_closed" });
    expect(await closed.create({ ...next, plan: "pro" }, OPERATOR_CLI)).toMatchObject({ plan: "pro" });
    expect(await accountsWhen("open").create({ email: "anyone@example.com", password: PASSWORD })).toMatchObject({
      plan: "free",
    });
  });

  test("An invitation admits one person on its plan, and its secret is not stored", async () => {
    const { token, ...made } = await invitations.create({ plan: "pro" }, { kind: "owner", accountId: operatorId });
    expect(made).toMatchObject({ email: null, plan: "pro", state: "open", expiresAtMs: nowMs + 7 * DAY_MS });
    expect(token.length).toBeGreaterThanOrEqual(43);
    expect(JSON.stringify(await place.db.prisma.invitation.findMany())).not.toContain(token);
    expect(await invitations.find(token)).toEqual(made);
    const accounts = accountsWhen("invitation");
    const guest = await accounts.create({ email: "guest@example.com", password: PASSWORD, invitation: token });
    expect(guest).toMatchObject({ id: made.id, plan: "pro", role: "member" });
    expect(await invitations.find(token)).toBeNull();
    await expect(
      accounts.create({ email: "second@example.com", password: PASSWORD, invitation: token }),
    ).rejects.toMatchObject({
      code: "invitation_not_found",
    });
    expect((await invitations.list()).find(({ id }) => id === made.id)).toMatchObject({
      state: "used",
      usedAtMs: nowMs,
    });
    const events = await createAuditLog(place.db).list({ accountId: made.id, limit: 10 });
    expect(events.map(({ event, actor }) => [event, actor])).toEqual([
      ["account.create", made.id],
      ["invitation.create", operatorId],
    ]);
  });

  test("Exactly one of ten simultaneous sign-ups with one link succeeds", async () => {
    const { token } = await invitations.create({}, OPERATOR_CLI);
    const coming = Array.from({ length: 10 }, (_, at) =>
      accountsWhen("invitation").create(
        { email: `racer-${at}@example.com`, password: PASSWORD, invitation: token },
        anonymous(`192.0.2.${at}`),
      ),
    );
    const results = await Promise.allSettled(coming);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "invitation_not_found" });
    }
    expect(await place.db.prisma.account.count({ where: { email: { startsWith: "racer-" } } })).toBe(1);
  });

  test("An invitation with an address admits only that address", async () => {
    const { token } = await invitations.create({ email: " Named@Example.com " }, OPERATOR_CLI);
    const accounts = accountsWhen("invitation");
    const come = (email: string) => accounts.create({ email, password: PASSWORD, invitation: token });
    await expect(come("other@example.com")).rejects.toMatchObject({ code: "invitation_not_yours" });
    expect(await come("NAMED@example.com")).toMatchObject({ email: "named@example.com" });
    await expect(invitations.create({ email: "nobody" }, OPERATOR_CLI)).rejects.toMatchObject({
      code: "invalid_email",
    });
  });

  test("An invitation ends after seven days, or when it is revoked", async () => {
    const [late, gone] = [await invitations.create({}, OPERATOR_CLI), await invitations.create({}, OPERATOR_CLI)];
    await invitations.remove(gone.id, { kind: "owner", accountId: operatorId });
    expect(await invitations.find(gone.token)).toBeNull();
    await expect(invitations.remove(gone.id, OPERATOR_CLI)).rejects.toMatchObject({ code: "invitation_not_found" });
    await expect(invitations.remove("1", OPERATOR_CLI)).rejects.toMatchObject({ code: "invitation_not_found" });
    nowMs += 7 * DAY_MS - 1;
    expect(await invitations.find(late.token)).toMatchObject({ state: "open" });
    nowMs += 1;
    expect(await invitations.find(late.token)).toBeNull();
    const invitation = { invitation: late.token };
    const coming = accountsWhen("open").create({ email: "late@example.com", password: PASSWORD, ...invitation });
    await expect(coming).rejects.toMatchObject({ code: "invitation_not_found" });
    expect((await invitations.list()).find(({ id }) => id === late.id)).toMatchObject({ state: "expired" });
  });

  test("Closing an account deletes its invitation, and the audit log holds no address", async () => {
    const accounts = accountsWhen("invitation");
    const { token, id } = await invitations.create({ email: "gone@example.com" }, OPERATOR_CLI);
    await accounts.create({ email: "gone@example.com", password: PASSWORD, invitation: token });
    await createAccountStatus(place.db, { now }).close(id);
    expect((await invitations.list()).some((each) => each.id === id || each.email === "gone@example.com")).toBe(false);
    const audit = createAuditLog(place.db);
    expect(JSON.stringify(await audit.list({ limit: 1_000 }))).not.toContain("@");
    expect(await audit.verify()).toMatchObject({ problem: null });
  });
});
