import { type Command, formatTable, toIso, UsageError, withAccess } from "@/cli/command";
import { formatLimit, statusCommands, toJson } from "@/cli/commands/account-status";
import type { AccountLine } from "@/lib/access/accounts/account-search";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { NO_LIMIT, PLAN_NAMES, type PlanName } from "@/lib/access/plans";

/** The operator's commands on accounts. */

const email = { value: "EMAIL", help: "the account's e-mail address", required: true };
const password = { value: "PASSWORD", help: "or - to read it from standard input; else SPOTLINE_PASSWORD is used" };

function parsePlan(word: string): PlanName {
  const plan = PLAN_NAMES.find((name) => name === word);
  if (plan === undefined) throw new UsageError(`--plan must be one of ${PLAN_NAMES.join(", ")}.`);
  return plan;
}

/** "none" is no limit, "plan" follows the plan again. */
function parseLimit(option: string, word: string | undefined): number | null | undefined {
  if (word === undefined) return undefined;
  if (word === "none") return NO_LIMIT;
  if (word === "plan") return null;
  if (!/^[1-9]\d{0,9}$/.test(word)) throw new UsageError(`--${option} must be a whole number from 1 up, none or plan.`);
  return Number(word);
}

const accountCreate: Command = {
  name: "account create",
  summary: "Create an account; the first one is the operator's",
  options: { email, password, plan: { value: "PLAN", help: "the default is free", choices: PLAN_NAMES } },
  async run(values) {
    const plan = parsePlan(values.optional("plan") ?? "free");
    const secret = await readPassword(values.optional("password"));
    const create = { email: values.text("email"), password: secret, plan };
    const account = await withAccess(({ accounts }) => accounts.create(create, OPERATOR_CLI));
    return {
      json: toJson(account),
      text: `Created the ${account.role} account ${account.email} on the ${account.plan} plan.`,
    };
  },
};

const MAX_LISTED = 1_000;

function toRow({ id, email: address, role, plan, ...line }: AccountLine) {
  return {
    id,
    email: address,
    role,
    plan,
    per_minute: formatLimit(line.perMinuteLimit),
    per_day: formatLimit(line.perDayLimit),
    suspended: line.suspendedAtMs !== null,
    active_keys: line.activeKeys,
    calls_today: line.callsToday,
    created_at: toIso(line.createdAtMs),
  };
}

const accountList: Command = {
  name: "account list",
  summary: "List accounts, newest first",
  options: {
    search: { value: "TEXT", help: "part of the address, or the beginning of the id or of a key as it is shown" },
    state: { value: "STATE", help: "only these", choices: ["active", "suspended"] },
    plan: { value: "PLAN", help: "only on this plan", choices: PLAN_NAMES },
    limit: { value: "N", help: `how many; the default and maximum is ${MAX_LISTED}` },
    offset: { value: "N", help: "how many to skip" },
  },
  async run(values) {
    const limit = parseWhole("limit", values.optional("limit") ?? String(MAX_LISTED), MAX_LISTED);
    const offset = parseWhole("offset", values.optional("offset") ?? "0");
    const plan = PLAN_NAMES.find((name) => name === values.optional("plan"));
    const state = (["active", "suspended"] as const).find((name) => name === values.optional("state"));
    const query = { search: values.optional("search"), state, plan, limit, offset };
    const { lines, total } = await withAccess(({ overview }) => overview.accounts(query));
    const rows = lines.map(toRow);
    const heading = ["EMAIL", "ROLE", "PLAN", "PER MINUTE", "PER DAY", "STATE", "KEYS", "CALLS TODAY", "CREATED", "ID"];
    const cells = rows.map((row) => [
      row.email,
      row.role,
      row.plan,
      String(row.per_minute),
      String(row.per_day),
      row.suspended ? "suspended" : "active",
      String(row.active_keys),
      String(row.calls_today),
      row.created_at?.slice(0, 10) ?? "",
      row.id,
    ]);
    const listed = rows.length === total ? "" : `\n\n${rows.length} of ${total} accounts.`;
    const text = rows.length === 0 ? "No account matches." : formatTable([heading, ...cells]) + listed;
    return { json: { accounts: rows, total }, text };
  },
};

function parseWhole(option: string, word: string, max = 1_000_000_000): number {
  if (!/^\d{1,9}$/.test(word) || Number(word) > max) {
    throw new UsageError(`--${option} must be a whole number up to ${max}.`);
  }
  return Number(word);
}

const accountShow: Command = {
  name: "account show",
  summary: "Show one account with its plan, limits and state",
  options: { email },
  async run(values) {
    const account = await withAccess(({ findAccount }) => findAccount(values.text("email")));
    const json = toJson(account);
    return {
      json,
      text: formatTable(Object.entries(json).map(([name, value]) => [name, value === null ? "" : String(value)])),
    };
  },
};

const accountSetPlan: Command = {
  name: "account set-plan",
  summary: "Change the plan of an account",
  options: { email, plan: { value: "PLAN", help: "the plan", required: true, choices: PLAN_NAMES } },
  async run(values) {
    const plan = parsePlan(values.text("plan"));
    const account = await withAccess(async ({ accounts, findAccount }) =>
      accounts.setPlan((await findAccount(values.text("email"))).id, plan),
    );
    return { json: toJson(account), text: `${account.email} is on the ${account.plan} plan.` };
  },
};

const accountSetLimits: Command = {
  name: "account set-limits",
  summary: "Set limits for an account that replace those of its plan",
  options: {
    email,
    "per-minute": { value: "N|none|plan", help: "requests a minute for each key" },
    "per-day": { value: "N|none|plan", help: "calls a day for the account" },
  },
  async run(values) {
    const perMinute = parseLimit("per-minute", values.optional("per-minute"));
    const perDay = parseLimit("per-day", values.optional("per-day"));
    if (perMinute === undefined && perDay === undefined) throw new UsageError("Give --per-minute, --per-day or both.");
    const account = await withAccess(async ({ accounts, findAccount }) =>
      accounts.setLimits((await findAccount(values.text("email"))).id, { perMinute, perDay }),
    );
    const json = toJson(account);
    return { json, text: `${account.email}: per minute ${json.per_minute}, per day ${json.per_day}.` };
  },
};

const accountSetCredits: Command = {
  name: "account set-credits",
  summary: "Set the prepaid credits of a pay-as-you-go account",
  options: { email, credits: { value: "N", help: "credits from now on, 0 or more", required: true } },
  async run(values) {
    const word = values.text("credits");
    if (!/^\d{1,10}$/.test(word)) throw new UsageError("--credits must be a whole number from 0 up.");
    const account = await withAccess(async ({ accounts, findAccount }) =>
      accounts.setPrepaidCredits((await findAccount(values.text("email"))).id, Number(word)),
    );
    return { json: toJson(account), text: `${account.email} has ${account.prepaidCredits} prepaid credits.` };
  },
};

const accountSetPassword: Command = {
  name: "account set-password",
  summary: "Set a new password and sign the account out everywhere",
  options: { email, password },
  async run(values) {
    const secret = await readPassword(values.optional("password"));
    const account = await withAccess(async ({ credentials, findAccount }) =>
      credentials.setPassword((await findAccount(values.text("email"))).id, secret),
    );
    return { json: toJson(account), text: `${account.email} has a new password.` };
  },
};

const accountSessions: Command = {
  name: "account sessions",
  summary: "List the browsers in which an account is signed in",
  options: { email },
  async run(values) {
    const sessions = await withAccess(async ({ accountSessions, findAccount }) =>
      accountSessions.list((await findAccount(values.text("email"))).id),
    );
    const rows = sessions.map(({ id, browser, address, createdAtMs, lastSeenAtMs, expiresAtMs }) => {
      const times = {
        created_at: toIso(createdAtMs),
        last_seen_at: toIso(lastSeenAtMs),
        expires_at: toIso(expiresAtMs),
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
      text: rows.length === 0 ? "The account has no session." : formatTable([heading, ...lines]),
    };
  },
};

const accountSignOut: Command = {
  name: "account sign-out",
  summary: "Sign an account out everywhere immediately",
  options: { email },
  async run(values) {
    const { account, ended } = await withAccess(async ({ accountSessions, findAccount }) => {
      const account = await findAccount(values.text("email"));
      return { account, ended: await accountSessions.revokeAll(account.id, OPERATOR_CLI) };
    });
    const sessions = `${ended} session${ended === 1 ? "" : "s"}`;
    return { json: { id: account.id, sessions_ended: ended }, text: `${account.email} is signed out of ${sessions}.` };
  },
};

export const accountCommands: readonly Command[] = [
  accountCreate,
  accountList,
  accountShow,
  accountSetPlan,
  accountSetLimits,
  accountSetCredits,
  accountSetPassword,
  accountSessions,
  accountSignOut,
  ...statusCommands,
];

/**
 * Reads the password from the option, the environment, or standard input if the option is "-". The last two do not
 * appear in the process list.
 */
async function readPassword(option: string | undefined): Promise<string> {
  const password = option ?? process.env["SPOTLINE_PASSWORD"];
  if (password === undefined)
    throw new UsageError("Give --password, set SPOTLINE_PASSWORD, or pipe it to --password -.");
  if (password !== "-") return password;
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split(/\r?\n/)[0] ?? "";
}
