import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { type Account, createAccounts } from "@/lib/access/accounts/accounts";
import { createPlanRequests, listRequestable, type PlanRequests } from "@/lib/access/accounts/plan-requests";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createKeyUses } from "@/lib/access/notices/key-uses";
import { createNoticeWatch } from "@/lib/access/notices/notice-watch";
import { createNotices, formatNoticeText, formatNoticeTitle, type Notices } from "@/lib/access/notices/notices";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import type { Mailer } from "@/lib/platform/mail";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

describe("plan requests", () => {
  let requests: PlanRequests;
  let notices: Notices;
  let operator: Account;
  let account: Account;
  let nowMs = Date.UTC(2026, 0, 15, 12);
  const now = () => nowMs;
  const by = ({ id: accountId } = account) => ({ kind: "owner", accountId }) as const;
  const byOperator = () => ({ kind: "operator", accountId: operator.id }) as const;
  const findPlan = async () => (await createAccounts(testDatabase.db, { now }).find(account.id))?.plan;
  const listEvents = async () =>
    (await createAuditLog(testDatabase.db).list({ accountId: account.id, limit: 50 })).map(
      ({ event, actor, before, after }) => ({ event, actor, before, after }),
    );

  async function ask(plan = "pro", message = ""): Promise<string> {
    await requests.create({ plan, message }, by());
    return (await requests.find(account.id))?.id ?? "";
  }

  /** The notices of an account, after the watch has read the audit log. */
  async function readNotices(accountId: string, mailer: Mailer | null = null) {
    const { pool } = testDatabase.db;
    const rest = { keyUses: createKeyUses(), directory: { keys: () => [] }, publicUrl: "https://prices.example" };
    await createNoticeWatch({ pool, notices, mailer, now, log: silentLog, ...rest }).check();
    return (await notices.list(accountId)).map(
      ({ facts }) => `${formatNoticeTitle(facts)}. ${formatNoticeText(facts)}`,
    );
  }

  beforeAll(async () => {
    requests = createPlanRequests(testDatabase.db, { now });
    notices = createNotices(testDatabase.db.pool, { now });
    const { id } = await someAccount(testDatabase.db, "free", now);
    operator = await createAccountStatus(testDatabase.db, { now }).setRole(id, "operator");
    await readNotices(id);
  });
  beforeEach(async () => {
    nowMs += DAY_MS;
    account = await someAccount(testDatabase.db, "free", now);
  });

  test("An account can ask for every plan but its own and the trial", async () => {
    expect(listRequestable({ plan: "free" })).toEqual(["payg", "starter", "pro", "enterprise"]);
    expect(listRequestable({ plan: "pro" })).toEqual(["free", "payg", "starter", "enterprise"]);
    for (const plan of ["free", "trial", "gold", "", "__proto__"]) {
      await expect(ask(plan), plan).rejects.toMatchObject({ code: "invalid_plan" });
    }
    expect(await requests.find(account.id)).toBeNull();
  });

  test("A message has at most 200 visible characters", async () => {
    for (const message of ["x".repeat(201), "a\u0000b", "a\nb", "a\u202Eb"]) {
      await expect(ask("pro", message)).rejects.toMatchObject({ code: "invalid_message" });
    }
    await ask("pro", `  ${"😀".repeat(200)} `);
    expect(await requests.find(account.id)).toMatchObject({ message: "😀".repeat(200), declined: null });
  });

  test("An account has one open request, which it can withdraw, even if it asks at the same moment", async () => {
    const outcomes = await Promise.allSettled([ask(), ask("starter"), ask("enterprise")]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(ask("starter")).rejects.toMatchObject({ code: "plan_request_state" });
    const { id = "" } = (await requests.find(account.id)) ?? {};
    const other = await someAccount(testDatabase.db, "free", now);
    for (const [wrongId, actor] of [
      [id, by(other)],
      [other.id, by()],
      ["1; --", by()],
    ] as const) {
      await expect(requests.withdraw(wrongId, actor)).rejects.toMatchObject({ code: "plan_request_state" });
    }
    await requests.withdraw(id, by());
    expect(await requests.find(account.id)).toBeNull();
    await expect(requests.withdraw(id, by())).rejects.toMatchObject({ code: "plan_request_state" });
  });

  test("Every operator gets one notice a day about an account and a plan, by mail too", async () => {
    const mails: string[] = [];
    const mailer: Mailer = { send: async ({ to, subject }) => void mails.push(`${to}: ${subject}`) };
    await requests.withdraw(await ask("pro", "For the desk"), by());
    await ask();
    const title = `${account.email} asks for the Pro plan`;
    expect((await readNotices(operator.id, mailer)).filter((each) => each.startsWith(account.email))).toEqual([
      `${title}. Approve or decline it on the page Plan requests.`,
    ]);
    expect(mails.filter((each) => each.includes(account.email))).toEqual([`${operator.email}: ${title}`]);
    expect(await readNotices(account.id)).toEqual([]);
    expect(await requests.listOpen()).toContainEqual(
      expect.objectContaining({ accountId: account.id, email: account.email, plan: "pro", currentPlan: "free" }),
    );
  });

  test("An approved request changes the plan once and tells its account", async () => {
    const id = await ask("pro", "a secret wish");
    await requests.approve(id, byOperator());
    expect(await findPlan()).toBe("pro");
    expect(await requests.find(account.id)).toBeNull();
    await expect(requests.approve(id, byOperator())).rejects.toMatchObject({ code: "plan_request_state" });
    expect(await readNotices(account.id)).toEqual([
      "Your account is on the Pro plan. An operator approved your request. The limits of the plan apply now.",
    ]);
    const events = await listEvents();
    expect(events.slice(0, 2)).toMatchObject([
      { event: "account.set_plan", actor: operator.id, before: { plan: "free" }, after: { approved_request: id } },
      { event: "plan_request.create", actor: account.id, after: { plan: "pro" } },
    ]);
    expect(JSON.stringify(events)).not.toContain("a secret wish");
  });

  test("A declined request keeps its reason until the account asks again", async () => {
    const id = await ask();
    for (const reason of ["", "  ", "x".repeat(201), "a\nb"]) {
      await expect(requests.decline(id, reason, byOperator())).rejects.toMatchObject({ code: "invalid_reason" });
    }
    await requests.decline(id, "Unpaid since May", byOperator());
    expect(await findPlan()).toBe("free");
    expect(await requests.find(account.id)).toMatchObject({ declined: { atMs: nowMs, reason: "Unpaid since May" } });
    expect(await readNotices(account.id)).toEqual([
      "Your request for the Pro plan was declined. The operator’s reason: Unpaid since May",
    ]);
    await expect(requests.approve(id, byOperator())).rejects.toMatchObject({ code: "plan_request_state" });
    await expect(requests.decline(id, "again", byOperator())).rejects.toMatchObject({ code: "plan_request_state" });
    await expect(requests.withdraw(id, by())).rejects.toMatchObject({ code: "plan_request_state" });
    await ask("starter");
    expect(await requests.find(account.id)).toMatchObject({ plan: "starter", declined: null });
  });

  test("An approval of an earlier request does not approve what the account asks for now", async () => {
    const earlier = await ask("starter");
    await requests.withdraw(earlier, by());
    await ask("enterprise");
    await expect(requests.approve(earlier, byOperator())).rejects.toMatchObject({ code: "plan_request_state" });
    expect(await findPlan()).toBe("free");
  });

  test("A closed account leaves no request", async () => {
    const id = await ask();
    await createAccountStatus(testDatabase.db, { now }).close(account.id);
    await expect(requests.approve(id, byOperator())).rejects.toMatchObject({ code: "plan_request_state" });
    expect((await requests.listOpen()).map((each) => each.accountId)).not.toContain(account.id);
  });
});
