import { isoOf, withAccess } from "@/cli/access";
import { UsageError, type Command } from "@/cli/command";
import { readPassword } from "@/cli/password";
import { table } from "@/cli/table";
import type { Account } from "@/lib/access/accounts";
import { NO_LIMIT, planNames, type PlanName } from "@/lib/access/plans";

/** The operator's commands on accounts. */

const email = { value: "EMAIL", help: "the account's e-mail address", required: true };
const password = { value: "PASSWORD", help: "or - to read it from standard input; else SPOTLINE_PASSWORD is used" };
const planChoices = planNames;

const limitWord = (limit: number | null) => (limit === null ? "plan" : limit === NO_LIMIT ? "none" : limit);

function jsonOf(account: Account) {
  return {
    id: account.id,
    email: account.email,
    role: account.role,
    plan: account.plan,
    trial_ends_at: isoOf(account.trialEndsAtMs),
    per_minute: limitWord(account.perMinuteLimit),
    per_day: limitWord(account.perDayLimit),
    prepaid_credits: account.prepaidCredits,
    suspended: account.suspendedAtMs !== null,
    created_at: isoOf(account.createdAtMs),
  };
}

function planIn(word: string): PlanName {
  const plan = planNames.find((name) => name === word);
  if (plan === undefined) throw new UsageError(`--plan must be one of ${planNames.join(", ")}.`);
  return plan;
}

/** "none" is no limit, "plan" follows the plan again. */
function limitIn(option: string, word: string | undefined): number | null | undefined {
  if (word === undefined) return undefined;
  if (word === "none") return NO_LIMIT;
  if (word === "plan") return null;
  if (!/^[1-9]\d{0,9}$/.test(word)) throw new UsageError(`--${option} must be a whole number from 1 up, none or plan.`);
  return Number(word);
}

const accountCreate: Command = {
  name: "account create",
  summary: "Make an account; the first one becomes the operator's",
  options: { email, password, plan: { value: "PLAN", help: "free, unless given", choices: planChoices } },
  async run(values) {
    const plan = planIn(values.optional("plan") ?? "free");
    const secret = await readPassword(values.optional("password"));
    const create = { email: values.text("email"), password: secret, plan };
    const account = await withAccess(({ accounts }) => accounts.create(create, "operator"));
    return {
      json: jsonOf(account),
      text: `Made the ${account.role} account ${account.email} on the ${account.plan} plan.`,
    };
  },
};

const accountList: Command = {
  name: "account list",
  summary: "List every account",
  options: {},
  async run() {
    const list = await withAccess(({ accounts }) => accounts.list());
    const rows = list.map(jsonOf);
    const heading = ["EMAIL", "ROLE", "PLAN", "PER MINUTE", "PER DAY", "STATE", "ID"];
    const lines = rows.map((row) => [
      row.email,
      row.role,
      row.plan,
      String(row.per_minute),
      String(row.per_day),
      row.suspended ? "suspended" : "active",
      row.id,
    ]);
    return {
      json: { accounts: rows },
      text: rows.length === 0 ? "There are no accounts yet." : table([heading, ...lines]),
    };
  },
};

const accountSetPlan: Command = {
  name: "account set-plan",
  summary: "Put an account on a plan, from now on",
  options: { email, plan: { value: "PLAN", help: "the plan", required: true, choices: planChoices } },
  async run(values) {
    const plan = planIn(values.text("plan"));
    const account = await withAccess(async ({ accounts, accountOf }) =>
      accounts.setPlan((await accountOf(values.text("email"))).id, plan),
    );
    return { json: jsonOf(account), text: `${account.email} is on the ${account.plan} plan.` };
  },
};

const accountSetLimits: Command = {
  name: "account set-limits",
  summary: "Give an account limits of its own, in place of its plan's",
  options: {
    email,
    "per-minute": { value: "N|none|plan", help: "requests a minute for each key" },
    "per-day": { value: "N|none|plan", help: "calls a day for the account" },
  },
  async run(values) {
    const perMinute = limitIn("per-minute", values.optional("per-minute"));
    const perDay = limitIn("per-day", values.optional("per-day"));
    if (perMinute === undefined && perDay === undefined) throw new UsageError("Give --per-minute, --per-day or both.");
    const account = await withAccess(async ({ accounts, accountOf }) =>
      accounts.setLimits((await accountOf(values.text("email"))).id, { perMinute, perDay }),
    );
    const json = jsonOf(account);
    return { json, text: `${account.email}: per minute ${json.per_minute}, per day ${json.per_day}.` };
  },
};

const accountSetCredits: Command = {
  name: "account set-credits",
  summary: "Set what is left of the credits an account paid in advance, which pay as you go spends",
  options: { email, credits: { value: "N", help: "credits from now on, 0 or more", required: true } },
  async run(values) {
    const word = values.text("credits");
    if (!/^\d{1,10}$/.test(word)) throw new UsageError("--credits must be a whole number from 0 up.");
    const account = await withAccess(async ({ accounts, accountOf }) =>
      accounts.setPrepaidCredits((await accountOf(values.text("email"))).id, Number(word)),
    );
    return { json: jsonOf(account), text: `${account.email} has ${account.prepaidCredits} prepaid credits.` };
  },
};

const accountSetPassword: Command = {
  name: "account set-password",
  summary: "Give an account a new password, and sign it out everywhere",
  options: { email, password },
  async run(values) {
    const secret = await readPassword(values.optional("password"));
    const account = await withAccess(async ({ accounts, accountOf }) =>
      accounts.setPassword((await accountOf(values.text("email"))).id, secret),
    );
    return { json: jsonOf(account), text: `${account.email} has a new password.` };
  },
};

const accountResetSecondFactor: Command = {
  name: "account reset-second-factor",
  summary: "Let an account that has lost its device and its recovery codes sign in with the password alone",
  options: { email },
  async run(values) {
    const account = await withAccess(async ({ accountOf, resetSecondFactor }) => {
      const found = await accountOf(values.text("email"));
      await resetSecondFactor(found.id);
      return found;
    });
    return { json: jsonOf(account), text: `${account.email} signs in with the password alone.` };
  },
};

const suspension = (name: string, summary: string, suspended: boolean): Command => ({
  name,
  summary,
  options: { email },
  async run(values) {
    const account = await withAccess(async ({ accounts, accountOf }) =>
      accounts.setSuspended((await accountOf(values.text("email"))).id, suspended),
    );
    return { json: jsonOf(account), text: `${account.email} is ${suspended ? "suspended" : "active"}.` };
  },
});

const accountSessions: Command = {
  name: "account sessions",
  summary: "List the browsers in which an account is signed in",
  options: { email },
  async run(values) {
    const sessions = await withAccess(async ({ accountSessions, accountOf }) =>
      accountSessions.list((await accountOf(values.text("email"))).id),
    );
    const rows = sessions.map(({ id, browser, address, createdAtMs, lastSeenAtMs, expiresAtMs }) => {
      const times = {
        created_at: isoOf(createdAtMs),
        last_seen_at: isoOf(lastSeenAtMs),
        expires_at: isoOf(expiresAtMs),
      };
      return { id, browser, address, ...times };
    });
    const lines = rows.map((row) => [
      row.browser,
      row.address ?? "",
      row.created_at?.slice(0, 19) ?? "",
      row.last_seen_at?.slice(0, 19) ?? "",
    ]);
    const heading = ["BROWSER", "FROM", "SIGNED IN", "LAST SEEN"];
    return {
      json: { sessions: rows },
      text: rows.length === 0 ? "The account is signed in nowhere." : table([heading, ...lines]),
    };
  },
};

const accountSignOut: Command = {
  name: "account sign-out",
  summary: "Sign an account out everywhere, at once",
  options: { email },
  async run(values) {
    const { account, ended } = await withAccess(async ({ accountSessions, accountOf }) => {
      const account = await accountOf(values.text("email"));
      return { account, ended: await accountSessions.revokeAll(account.id, "operator") };
    });
    const sessions = `${ended} session${ended === 1 ? "" : "s"}`;
    return { json: { id: account.id, sessions_ended: ended }, text: `${account.email} is signed out of ${sessions}.` };
  },
};

export const accountCommands: readonly Command[] = [
  accountCreate,
  accountList,
  accountSetPlan,
  accountSetLimits,
  accountSetCredits,
  accountSetPassword,
  accountSessions,
  accountSignOut,
  accountResetSecondFactor,
  suspension("account suspend", "Refuse an account's calls and sign-ins until it is resumed", true),
  suspension("account resume", "Accept a suspended account's calls and sign-ins again", false),
];
