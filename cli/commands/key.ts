import { isoOf, momentIn, withAccess, wordsIn } from "@/cli/access";
import { type Command, UsageError } from "@/cli/command";
import { table } from "@/cli/table";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { type Grace, GRACES, type Key } from "@/lib/access/keys/key";
import type { Keys } from "@/lib/access/keys/keys";
import { KEY_KINDS } from "@/lib/access/plans";
import { SCOPES } from "@/lib/access/scopes";

/** The operator's commands on API keys. */

function jsonOf(key: Key, email: string | undefined) {
  return {
    id: key.id,
    account: email ?? null,
    label: key.label,
    kind: key.kind,
    start: key.start,
    last4: key.last4,
    scopes: key.scopes,
    ips: key.allowedCidrs,
    state: key.state,
    expires_at: isoOf(key.expiresAtMs),
    revoked_at: isoOf(key.revokedAtMs),
    last_used_at: isoOf(key.lastUsedAtMs),
    last_used_from: key.lastUse?.from ?? null,
    last_used_endpoint: key.lastUse?.endpoint ?? null,
    disabled_at: isoOf(key.disabledAtMs),
    restorable_until: isoOf(key.restorableUntilMs),
    replaces: key.replacesId,
    replaced_by: key.replacedById,
    created_at: isoOf(key.createdAtMs),
  };
}

const keyCreate: Command = {
  name: "key create",
  summary: "Make an API key; its secret is shown this once",
  options: {
    account: { value: "EMAIL", help: "the owner's e-mail address", required: true },
    label: { value: "TEXT", help: "what the key is for", required: true },
    kind: { value: "KIND", help: "standard, unless given; a tool key has limits of its own", choices: KEY_KINDS },
    scopes: { value: SCOPES.join(","), help: "what it may call; all, unless given" },
    ips: { value: "CIDR,…", help: "addresses and ranges it may be used from; any, unless given" },
    expires: { value: "ISO", help: "when it expires, like 2027-01-31T00:00Z; never, unless given" },
  },
  async run(values) {
    const [ips, expires] = [values.optional("ips"), values.optional("expires")];
    const asked = {
      label: values.text("label"),
      kind: KEY_KINDS.find((kind) => kind === values.optional("kind")),
      scopes: wordsIn(values.optional("scopes") ?? "all"),
      addresses: ips === undefined ? [] : wordsIn(ips),
      expiresAtMs: expires === undefined ? null : momentIn("expires", expires),
    };
    const { owner, created } = await withAccess(async ({ keys, accountOf }) => {
      const account = await accountOf(values.text("account"));
      return { owner: account.email, created: await keys.create({ accountId: account.id, ...asked }, OPERATOR_CLI) };
    });
    const { secret, ...key } = created;
    const { id, ...rest } = jsonOf(key, owner);
    return {
      json: { id, key: secret, ...rest },
      text: `${secret}\n\nKey ${id} of ${owner}. Keep the secret now: it cannot be shown again.`,
    };
  },
};

const keyList: Command = {
  name: "key list",
  summary: "List API keys, newest first",
  options: { account: { value: "EMAIL", help: "only this account's" } },
  async run(values) {
    const email = values.optional("account");
    const rows = await withAccess(async ({ keys, accounts, accountOf }) => {
      const owners = email === undefined ? await accounts.list() : [await accountOf(email)];
      const emailById = new Map(owners.map((owner) => [owner.id, owner.email]));
      const list = await keys.list(email === undefined ? undefined : owners[0]?.id);
      return list.map((key) => jsonOf(key, emailById.get(key.accountId)));
    });
    return outcomeOf(rows, "There are no keys.");
  },
};

const mostFound = 100;

const keyFind: Command = {
  name: "key find",
  summary: "Find an API key, and whose it is, by what is shown of it",
  options: { prefix: { value: "fxk_live_3f9a", help: "its first characters, or those…and its last", required: true } },
  async run(values) {
    const found = await withAccess(({ overview }) => overview.keys(values.text("prefix"), mostFound));
    return outcomeOf(
      found.map((key) => jsonOf(key, key.ownerEmail)),
      "There is no such key.",
    );
  },
};

function outcomeOf(rows: readonly ReturnType<typeof jsonOf>[], none: string) {
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
  return { json: { keys: rows }, text: rows.length === 0 ? none : table([heading, ...lines]) };
}

const id = { value: "ID", help: "the key's id, as key list shows it", required: true };
const nameOf = ({ label, start, last4 }: Key) => `The key “${label}” (${start}…${last4})`;

async function withOwner(work: (keys: Keys) => Promise<Key>): Promise<{ key: Key; email: string | undefined }> {
  return withAccess(async ({ keys, accounts }) => {
    const key = await work(keys);
    return { key, email: (await accounts.find(key.accountId))?.email };
  });
}

const keyUpdate: Command = {
  name: "key update",
  summary: "Change what an API key is called, may call, may be used from, or when it expires",
  options: {
    id,
    label: { value: "TEXT", help: "what the key is for" },
    scopes: { value: SCOPES.join(","), help: "what it may call" },
    ips: { value: "CIDR,…|any", help: "addresses and ranges it may be used from" },
    expires: { value: "ISO|never", help: "when it expires" },
  },
  async run(values) {
    const [label, scopes] = [values.optional("label"), values.optional("scopes")];
    const [ips, expires] = [values.optional("ips"), values.optional("expires")];
    if ([label, scopes, ips, expires].every((value) => value === undefined)) {
      throw new UsageError("Give --label, --scopes, --ips, --expires or several of them.");
    }
    const changes = {
      ...(label === undefined ? {} : { label }),
      ...(scopes === undefined ? {} : { scopes: wordsIn(scopes) }),
      ...(ips === undefined ? {} : { addresses: ips === "any" ? [] : wordsIn(ips) }),
      ...(expires === undefined ? {} : { expiresAtMs: expires === "never" ? null : momentIn("expires", expires) }),
    };
    const { key, email } = await withOwner((keys) => keys.update(values.text("id"), changes, OPERATOR_CLI));
    const from = key.allowedCidrs.length === 0 ? "anywhere" : key.allowedCidrs.join(", ");
    const terms = `scopes ${key.scopes.join(", ")}; from ${from}; expires ${isoOf(key.expiresAtMs) ?? "never"}`;
    return { json: jsonOf(key, email), text: `${nameOf(key)}: ${terms}.` };
  },
};

const graces = Object.keys(GRACES) as Grace[];

const keyRotate: Command = {
  name: "key rotate",
  summary: "Make a new key with the same settings in place of one; its secret is shown this once",
  options: {
    id,
    grace: { value: "GRACE", help: "how long the old one goes on working; 24h, unless given", choices: graces },
  },
  async run(values) {
    const grace = graces.find((name) => name === values.optional("grace")) ?? "24h";
    const { old, key, secret, email } = await withAccess(async ({ keys, accounts }) => {
      const rotated = await keys.rotate(values.text("id"), grace, OPERATOR_CLI);
      return { ...rotated, email: (await accounts.find(rotated.key.accountId))?.email };
    });
    const { id: newId, ...rest } = jsonOf(key, email);
    return {
      json: { id: newId, key: secret, ...rest, replaced: jsonOf(old, email) },
      text: `${secret}\n\nKey ${newId}. Keep the secret now: it cannot be shown again.\n${nameOf(old)} ends at ${isoOf(old.expiresAtMs)}.`,
    };
  },
};

const step = (verb: "disable" | "enable" | "revoke" | "restore", summary: string, result: string): Command => ({
  name: `key ${verb}`,
  summary,
  options: { id },
  async run(values) {
    const { key, email } = await withOwner((keys) => keys[verb](values.text("id"), OPERATOR_CLI));
    return { json: jsonOf(key, email), text: `${nameOf(key)} is ${result}.` };
  },
});

export const keyCommands: readonly Command[] = [
  keyCreate,
  keyList,
  keyFind,
  keyUpdate,
  step("disable", "Refuse an API key until it is enabled again; a running server follows within a second", "disabled"),
  step("enable", "Accept a disabled API key again", "enabled"),
  keyRotate,
  step("revoke", "End an API key; for fifteen minutes it can be restored", "revoked"),
  step("restore", "Take the revocation of an API key back, within fifteen minutes of it", "restored"),
];
