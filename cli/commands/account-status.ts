import { type Command, toIso, UsageError, withAccess } from "@/cli/command";
import type { Account } from "@/lib/access/accounts/accounts";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { NO_LIMIT } from "@/lib/access/plans";

/** The operator's commands on the role and status of an account. */

const email = { value: "EMAIL", help: "the account's e-mail address", required: true };

const suspension = (name: string, summary: string, suspended: boolean): Command => ({
  name,
  summary,
  options: { email, reason: { value: "TEXT", help: "the reason, recorded in the audit log" } },
  async run(values) {
    const account = await withAccess(async ({ accountStatus, findAccount }) =>
      accountStatus.setSuspended(
        (await findAccount(values.text("email"))).id,
        suspended,
        OPERATOR_CLI,
        values.optional("reason"),
      ),
    );
    return { json: toJson(account), text: `${account.email} is ${suspended ? "suspended" : "active"}.` };
  },
});

const roles = ["operator", "member"] as const;

const accountSetRole: Command = {
  name: "account set-role",
  summary: "Make an account an operator or a member; the last operator cannot be changed",
  options: { email, role: { value: "ROLE", help: "the role", required: true, choices: roles } },
  async run(values) {
    const role = roles.find((name) => name === values.text("role")) ?? "member";
    const account = await withAccess(async ({ accountStatus, findAccount }) =>
      accountStatus.setRole((await findAccount(values.text("email"))).id, role),
    );
    return { json: toJson(account), text: `${account.email} is ${role === "operator" ? "an operator" : "a member"}.` };
  },
};

const accountClose: Command = {
  name: "account close",
  summary: "Delete an account and all its data; this cannot be undone",
  options: { email, confirm: { value: "EMAIL", help: "the e-mail address again", required: true } },
  async run(values) {
    const closed = await withAccess(async ({ accountStatus, findAccount }) => {
      const account = await findAccount(values.text("email"));
      if (values.text("confirm").trim().toLowerCase() !== account.email) {
        throw new UsageError(`--confirm must be ${account.email}.`);
      }
      await accountStatus.close(account.id);
      return account;
    });
    return { json: { id: closed.id, email: closed.email, closed: true }, text: `${closed.email} is closed.` };
  },
};

const accountResetSecondFactor: Command = {
  name: "account reset-second-factor",
  summary: "Remove the second factor of an account that lost its device and recovery codes",
  options: { email },
  async run(values) {
    const account = await withAccess(async ({ findAccount, resetSecondFactor }) => {
      const account = await findAccount(values.text("email"));
      await resetSecondFactor(account.id);
      return account;
    });
    return { json: toJson(account), text: `${account.email} signs in with the password alone.` };
  },
};

const accountResetPasskeys: Command = {
  name: "account reset-passkeys",
  summary: "Remove all passkeys of an account that lost them",
  options: { email },
  async run(values) {
    const { account, removed } = await withAccess(async ({ findAccount, removePasskeys }) => {
      const account = await findAccount(values.text("email"));
      return { account, removed: await removePasskeys(account.id) };
    });
    const text = `${removed} passkey${removed === 1 ? "" : "s"} of ${account.email} removed.`;
    return { json: { ...toJson(account), passkeys_removed: removed }, text };
  },
};

export const statusCommands: readonly Command[] = [
  accountSetRole,
  accountClose,
  accountResetSecondFactor,
  accountResetPasskeys,
  suspension("account suspend", "Refuse an account's calls and sign-ins until it is resumed", true),
  suspension("account resume", "Accept a suspended account's calls and sign-ins again", false),
];

/** "none" is no limit, "plan" follows the plan. */
export const formatLimit = (limit: number | null) => (limit === null ? "plan" : limit === NO_LIMIT ? "none" : limit);

/** Converts an account to the JSON of the commands. */
export function toJson(account: Account) {
  return {
    id: account.id,
    email: account.email,
    role: account.role,
    plan: account.plan,
    trial_ends_at: toIso(account.trialEndsAtMs),
    per_minute: formatLimit(account.perMinuteLimit),
    per_day: formatLimit(account.perDayLimit),
    prepaid_credits: account.prepaidCredits,
    suspended: account.suspendedAtMs !== null,
    suspended_reason: account.suspendedReason,
    created_at: toIso(account.createdAtMs),
  };
}
