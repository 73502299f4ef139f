import { afterAll, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { createInvitations, deriveSetupCode, type SignUpMode } from "@/lib/access/accounts/registration";
import { anonymous, OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { cheapPasswords, readAuditKeys } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const PASSWORD = "correct horse battery";

describe("invitations", () => {
  let operatorId: string;
  let nowMs = Date.UTC(2026, 0, 15);
  const now = () => nowMs;
  const setupCode = deriveSetupCode("one session secret");
  /** Accounts as a visitor creates them. */
  const createAccountsFor = (signUp: SignUpMode): Pick<Accounts, "create"> => {
    const accounts = createAccounts(testDatabase.db, { now, passwords: cheapPasswords, signUp, setupCode });
    return { create: (input, by = anonymous("203.0.113.7")) => accounts.create(input, by) };
  };

  const invitations = createInvitations(testDatabase.db, { now });

  test("Only the code of the setup link creates the first account, in every mode and with single sign-on", async () => {
    const root = { email: "root@example.com", password: PASSWORD };
    for (const mode of ["open", "invitation", "closed"] as const) {
      for (const wrong of [undefined, "", deriveSetupCode("another secret"), `${setupCode}x`]) {
        const created = createAccountsFor(mode).create({ ...root, setupCode: wrong });
        await expect(created, `${mode} ${wrong}`).rejects.toMatchObject({ code: "setup_required" });
      }
    }
    const none = createAccounts(testDatabase.db, { now, passwords: cheapPasswords });
    await expect(none.create(root, anonymous("203.0.113.8"))).rejects.toMatchObject({ code: "setup_required" });
    const identity = { provider: "oidc", issuer: "https://id.example.com", subject: "root", email: root.email };
    const identified = createAccountsFor("open").create({ ...root, password: null, identity });
    await expect(identified).rejects.toMatchObject({ code: "setup_required" });
    const closed = createAccountsFor("closed");
    const first = await closed.create({ ...root, setupCode });
    expect(first).toMatchObject({ role: "operator" });
    operatorId = first.id;
    const next = { email: "next@example.com", password: PASSWORD, setupCode };
    await expect(closed.create(next)).rejects.toMatchObject({ code: "sign_up_closed" });
    await expect(createAccountsFor("invitation").create(next)).rejects.toMatchObject({ code: "sign_up_closed" });
    const { token } = await invitations.create({}, OPERATOR_CLI);
    await expect(closed.create({ ...next, invitation: token })).rejects.toMatchObject({ code: "sign_up_closed" });
    expect(await closed.create({ ...next, plan: "pro" }, OPERATOR_CLI)).toMatchObject({ plan: "pro" });
    expect(await createAccountsFor("open").create({ email: "anyone@example.com", password: PASSWORD })).toMatchObject({
      plan: "free",
    });
  });

  test("An invitation admits one person on its plan, and its secret is not stored", async () => {
    const { token, ...created } = await invitations.create({ plan: "pro" }, { kind: "owner", accountId: operatorId });
    expect(created).toMatchObject({ email: null, plan: "pro", state: "open", expiresAtMs: nowMs + 7 * DAY_MS });
    expect(token.length).toBeGreaterThanOrEqual(43);
    expect(JSON.stringify(await testDatabase.db.prisma.invitation.findMany())).not.toContain(token);
    expect(await invitations.find(token)).toEqual(created);
    const accounts = createAccountsFor("invitation");
    const guest = await accounts.create({ email: "guest@example.com", password: PASSWORD, invitation: token });
    expect(guest).toMatchObject({ id: created.id, plan: "pro", role: "member" });
    expect(await invitations.find(token)).toBeNull();
    await expect(
      accounts.create({ email: "second@example.com", password: PASSWORD, invitation: token }),
    ).rejects.toMatchObject({
      code: "invitation_not_found",
    });
    expect((await invitations.list()).find(({ id }) => id === created.id)).toMatchObject({
      state: "used",
      usedAtMs: nowMs,
    });
    const events = await createAuditLog(testDatabase.db).list({ accountId: created.id, limit: 10 });
    expect(events.map(({ event, actor }) => [event, actor])).toEqual([
      ["account.create", created.id],
      ["invitation.create", operatorId],
    ]);
  });

  test("Exactly one of ten simultaneous sign-ups with one link succeeds", async () => {
    const { token } = await invitations.create({}, OPERATOR_CLI);
    const signingUp = Array.from({ length: 10 }, (_, at) =>
      createAccountsFor("invitation").create(
        { email: `racer-${at}@example.com`, password: PASSWORD, invitation: token },
        anonymous(`192.0.2.${at}`),
      ),
    );
    const results = await Promise.allSettled(signingUp);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "invitation_not_found" });
    }
    expect(await testDatabase.db.prisma.account.count({ where: { email: { startsWith: "racer-" } } })).toBe(1);
  });

  test("An invitation with an address admits only that address", async () => {
    const { token } = await invitations.create({ email: " Named@Example.com " }, OPERATOR_CLI);
    const accounts = createAccountsFor("invitation");
    const signUp = (email: string) => accounts.create({ email, password: PASSWORD, invitation: token });
    await expect(signUp("other@example.com")).rejects.toMatchObject({ code: "invitation_not_yours" });
    expect(await signUp("NAMED@example.com")).toMatchObject({ email: "named@example.com" });
    await expect(invitations.create({ email: "nobody" }, OPERATOR_CLI)).rejects.toMatchObject({
      code: "invalid_email",
    });
  });

  test("An invitation ends after seven days, or when it is revoked", async () => {
    const [late, revoked] = [await invitations.create({}, OPERATOR_CLI), await invitations.create({}, OPERATOR_CLI)];
    await invitations.remove(revoked.id, { kind: "owner", accountId: operatorId });
    expect(await invitations.find(revoked.token)).toBeNull();
    await expect(invitations.remove(revoked.id, OPERATOR_CLI)).rejects.toMatchObject({ code: "invitation_not_found" });
    await expect(invitations.remove("1", OPERATOR_CLI)).rejects.toMatchObject({ code: "invitation_not_found" });
    nowMs += 7 * DAY_MS - 1;
    expect(await invitations.find(late.token)).toMatchObject({ state: "open" });
    nowMs += 1;
    expect(await invitations.find(late.token)).toBeNull();
    const invitation = { invitation: late.token };
    const signingUp = createAccountsFor("open").create({
      email: "late@example.com",
      password: PASSWORD,
      ...invitation,
    });
    await expect(signingUp).rejects.toMatchObject({ code: "invitation_not_found" });
    expect((await invitations.list()).find(({ id }) => id === late.id)).toMatchObject({ state: "expired" });
  });

  test("Closing an account deletes its invitation, and the audit log holds no address", async () => {
    const accounts = createAccountsFor("invitation");
    const { token, id } = await invitations.create({ email: "gone@example.com" }, OPERATOR_CLI);
    await accounts.create({ email: "gone@example.com", password: PASSWORD, invitation: token });
    await createAccountStatus(testDatabase.db, { now }).close(id);
    expect((await invitations.list()).some((each) => each.id === id || each.email === "gone@example.com")).toBe(false);
    const audit = createAuditLog(testDatabase.db);
    expect(JSON.stringify(await audit.list({ limit: 1_000 }))).not.toContain("@");
    expect(await audit.verify(await readAuditKeys(testDatabase.db))).toMatchObject({ problem: null });
  });
});
