import {
  type Command,
  formatTable,
  parseMoment,
  splitList,
  toIso,
  UsageError,
  type Values,
  withAccess,
} from "@/cli/command";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { type Grace, GRACES, type Key } from "@/lib/access/keys/key";
import type { Keys } from "@/lib/access/keys/keys";
import { KEY_KINDS } from "@/lib/access/plans";
import { SCOPES } from "@/lib/access/scopes";

/** The operator's commands on API keys. */

function toJson(key: Key, email: string | undefined) {
  return {
    id: key.id,
    account: email ?? null,
    label: key.label,
    kind: key.kind,
    start: key.start,
    last4: key.last4,
    scopes: key.scopes,
    ips: key.allowedCidrs,
    endpoints: key.allowedEndpoints,
    symbols: key.allowedSymbols,
    origins: key.allowedOrigins,
    per_minute: key.perMinuteLimit,
    per_day: key.perDayLimit,
    state: key.state,
    expires_at: toIso(key.expiresAtMs),
    revoked_at: toIso(key.revokedAtMs),
    last_used_at: toIso(key.lastUsedAtMs),
    last_used_from: key.lastUse?.from ?? null,
    last_used_endpoint: key.lastUse?.endpoint ?? null,
    disabled_at: toIso(key.disabledAtMs),
    restorable_until: toIso(key.restorableUntilMs),
    replaces: key.replacesId,
    replaced_by: key.replacedById,
    created_at: toIso(key.createdAtMs),
  };
}

const keyCreate: Command = {
  name: "key create",
  summary: "Create an API key; its secret is shown once",
  options: {
    account: { value: "EMAIL", help: "the owner's e-mail address", required: true },
    label: { value: "TEXT", help: "what the key is for", required: true },
    kind: { value: "KIND", help: "the default is standard; a tool key has its own limits", choices: KEY_KINDS },
    scopes: {
      value: SCOPES.join(","),
      help: "the endpoints it may call; the default is all, which is all data and leaves out alerts",
    },
    ips: { value: "CIDR,…", help: "addresses and ranges it may be used from; the default is any" },
    endpoints: { value: "/v1/quote,…", help: "the only ones it may call; the default is all that its scopes open" },
    symbols: { value: "forex,XAUUSD,…", help: "the only categories and symbols it may read; the default is all" },
    origins: { value: "https://app.example.com,…", help: "the only pages that may use it; the default is all" },
    "per-minute": { value: "N", help: "its own limit of calls a minute; the default is the account's" },
    "per-day": { value: "N", help: "its own limit of calls a day; the default is the account's" },
    expires: { value: "ISO", help: "when it expires, like 2027-01-31T00:00Z; the default is never" },
  },
  async run(values) {
    const [ips, expires] = [values.optional("ips"), values.optional("expires")];
    const input = {
      label: values.text("label"),
      kind: KEY_KINDS.find((kind) => kind === values.optional("kind")),
      scopes: splitList(values.optional("scopes") ?? "all"),
      addresses: ips === undefined ? [] : splitList(ips),
      ...readPermissions(values),
      expiresAtMs: expires === undefined ? null : parseMoment("expires", expires),
    };
    const { owner, created } = await withAccess(async ({ keys, findAccount }) => {
      const account = await findAccount(values.text("account"));
      return { owner: account.email, created: await keys.create({ accountId: account.id, ...input }, OPERATOR_CLI) };
    });
    const { secret, ...key } = created;
    const { id, ...rest } = toJson(key, owner);
    return {
      json: { id, key: secret, ...rest },
      text: `${secret}\n\nKey ${id} of ${owner}. Store the secret now: it cannot be shown again.`,
    };
  },
};

const keyList: Command = {
  name: "key list",
  summary: "List API keys, newest first",
  options: { account: { value: "EMAIL", help: "only this account's" } },
  async run(values) {
    const email = values.optional("account");
    const rows = await withAccess(async ({ keys, accounts, findAccount }) => {
      const owners = email === undefined ? await accounts.list() : [await findAccount(email)];
      const emailById = new Map(owners.map((owner) => [owner.id, owner.email]));
      const list = await keys.list(email === undefined ? undefined : owners[0]?.id);
      return list.map((key) => toJson(key, emailById.get(key.accountId)));
    });
    return formatKeys(rows, "There are no keys.");
  },
};

const MAX_FOUND = 100;

const keyFind: Command = {
  name: "key find",
  summary: "Find an API key and its owner by the visible part of the key",
  options: { prefix: { value: "fxk_live_3f9a", help: "its first characters, or those…and its last", required: true } },
  async run(values) {
    const found = await withAccess(({ overview }) => overview.keys(values.text("prefix"), MAX_FOUND));
    return formatKeys(
      found.map((key) => toJson(key, key.ownerEmail)),
      "There is no such key.",
    );
  },
};

function formatKeys(rows: readonly ReturnType<typeof toJson>[], none: string) {
  const heading = ["LABEL", "ACCOUNT", "KIND", "KEY", "SCOPES", "STATE", "LAST USED", "ID"];
  const lines = rows.map((row) => [
    row.label,
    row.account ?? "",
    row.kind,
    `${row.start}…${row.last4}`,
    row.scopes.join(","),
    row.state,
    row.last_used_at?.slice(0, 16) ?? "never",
    row.id,
  ]);
  return { json: { keys: rows }, text: rows.length === 0 ? none : formatTable([heading, ...lines]) };
}

const id = { value: "ID", help: "the key's id, as key list shows it", required: true };
const formatName = ({ label, start, last4 }: Key) => `The key “${label}” (${start}…${last4})`;

async function withOwner(work: (keys: Keys) => Promise<Key>): Promise<{ key: Key; email: string | undefined }> {
  return withAccess(async ({ keys, accounts }) => {
    const key = await work(keys);
    return { key, email: (await accounts.find(key.accountId))?.email };
  });
}

const keyUpdate: Command = {
  name: "key update",
  summary: "Change the settings of an API key: what it may call, from where, how often, how long",
  options: {
    id,
    label: { value: "TEXT", help: "what the key is for" },
    scopes: { value: SCOPES.join(","), help: "what it may call" },
    ips: { value: "CIDR,…|any", help: "addresses and ranges it may be used from" },
    endpoints: { value: "/v1/quote,…|any", help: "the only ones it may call" },
    symbols: { value: "forex,XAUUSD,…|any", help: "the only categories and symbols it may read" },
    origins: { value: "https://app.example.com,…|any", help: "the only pages that may use it in a browser" },
    "per-minute": { value: "N|none", help: "its own limit of calls a minute" },
    "per-day": { value: "N|none", help: "its own limit of calls a day" },
    expires: { value: "ISO|never", help: "when it expires" },
  },
  async run(values) {
    const [label, scopes] = [values.optional("label"), values.optional("scopes")];
    const [ips, expires] = [values.optional("ips"), values.optional("expires")];
    const settings = Object.keys(keyUpdate.options).filter((name) => name !== "id");
    if (settings.every((name) => values.optional(name) === undefined)) {
      throw new UsageError(`Give one or several of ${settings.map((name) => `--${name}`).join(", ")}.`);
    }
    const changes = {
      ...readPermissions(values),
      ...(label === undefined ? {} : { label }),
      ...(scopes === undefined ? {} : { scopes: splitList(scopes) }),
      ...(ips === undefined ? {} : { addresses: ips === "any" ? [] : splitList(ips) }),
      ...(expires === undefined ? {} : { expiresAtMs: expires === "never" ? null : parseMoment("expires", expires) }),
    };
    const { key, email } = await withOwner((keys) => keys.update(values.text("id"), changes, OPERATOR_CLI));
    const from = key.allowedCidrs.length === 0 ? "anywhere" : key.allowedCidrs.join(", ");
    const end = toIso(key.expiresAtMs) ?? "never";
    const terms = `scopes ${key.scopes.join(", ")}; ${formatPermissions(key)}from ${from}; expires ${end}`;
    return { json: toJson(key, email), text: `${formatName(key)}: ${terms}.` };
  },
};

const GRACE_NAMES = Object.keys(GRACES) as Grace[];

const keyRotate: Command = {
  name: "key rotate",
  summary: "Replace an API key by a new one with the same settings; its secret is shown once",
  options: {
    id,
    grace: { value: "GRACE", help: "how long the old key stays valid; the default is 24h", choices: GRACE_NAMES },
  },
  async run(values) {
    const grace = GRACE_NAMES.find((name) => name === values.optional("grace")) ?? "24h";
    const { old, key, secret, email } = await withAccess(async ({ keys, accounts }) => {
      const rotated = await keys.rotate(values.text("id"), grace, OPERATOR_CLI);
      return { ...rotated, email: (await accounts.find(rotated.key.accountId))?.email };
    });
    const { id: newId, ...rest } = toJson(key, email);
    return {
      json: { id: newId, key: secret, ...rest, replaced: toJson(old, email) },
      text: `${secret}\n\nKey ${newId}. Store the secret now: it cannot be shown again.\n${formatName(old)} ends at ${toIso(old.expiresAtMs)}.`,
    };
  },
};

const createStepCommand = (
  verb: "disable" | "enable" | "revoke" | "restore",
  summary: string,
  result: string,
): Command => ({
  name: `key ${verb}`,
  summary,
  options: { id },
  async run(values) {
    const { key, email } = await withOwner((keys) => keys[verb](values.text("id"), OPERATOR_CLI));
    return { json: toJson(key, email), text: `${formatName(key)} is ${result}.` };
  },
});

export const keyCommands: readonly Command[] = [
  keyCreate,
  keyList,
  keyFind,
  keyUpdate,
  createStepCommand(
    "disable",
    "Refuse an API key until it is enabled again; a running server follows within a second",
    "disabled",
  ),
  createStepCommand("enable", "Accept a disabled API key again", "enabled"),
  keyRotate,
  createStepCommand("revoke", "Revoke an API key; it can be restored for fifteen minutes", "revoked"),
  createStepCommand("restore", "Restore a revoked API key within fifteen minutes", "restored"),
];

/** The options of a key's endpoints, symbols, origins and limits. An absent option leaves its setting out. */
export function readPermissions(values: Pick<Values, "optional">) {
  const list = (name: string) => {
    const text = values.optional(name);
    return text === undefined ? undefined : text === "any" ? [] : splitList(text);
  };
  const [endpoints, symbols, origins] = [list("endpoints"), list("symbols"), list("origins")];
  const [perMinute, perDay] = [readLimit(values, "per-minute"), readLimit(values, "per-day")];
  return {
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(symbols === undefined ? {} : { symbols }),
    ...(origins === undefined ? {} : { origins }),
    ...(perMinute === undefined ? {} : { perMinute }),
    ...(perDay === undefined ? {} : { perDay }),
  };
}

function readLimit(values: Pick<Values, "optional">, name: string): number | null | undefined {
  const text = values.optional(name);
  if (text === undefined) return undefined;
  if (text === "none") return null;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, or none.`);
  return Number(text);
}

/** The restrictions of a key, each ended by a semicolon: "symbols forex; 10 calls a minute; ". */
function formatPermissions(key: Key): string {
  const { allowedEndpoints, allowedSymbols, allowedOrigins, perMinuteLimit, perDayLimit } = key;
  const parts = [
    allowedEndpoints.length > 0 && `endpoints ${allowedEndpoints.join(", ")}`,
    allowedSymbols.length > 0 && `symbols ${allowedSymbols.join(", ")}`,
    allowedOrigins.length > 0 && `origins ${allowedOrigins.join(", ")}`,
    perMinuteLimit !== null && `${perMinuteLimit} calls a minute`,
    perDayLimit !== null && `${perDayLimit} calls a day`,
  ];
  return parts
    .filter((part) => part !== false)
    .map((part) => `${part}; `)
    .join("");
}
