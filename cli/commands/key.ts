import { isoOf, momentIn, withAccess, wordsIn } from "@/cli/access";
import type { Command } from "@/cli/command";
import { table } from "@/cli/table";
import type { Key } from "@/lib/access/keys";
import { keyKinds } from "@/lib/access/plans";
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
    created_at: isoOf(key.createdAtMs),
  };
}

const keyCreate: Command = {
  name: "key create",
  summary: "Make an API key; its secret is shown this once",
  options: {
    account: { value: "EMAIL", help: "the owner's e-mail address", required: true },
    label: { value: "TEXT", help: "what the key is for", required: true },
    kind: { value: "KIND", help: "standard, unless given; a tool key has limits of its own", choices: keyKinds },
    scopes: { value: SCOPES.join(","), help: "what it may call; all, unless given" },
    ips: { value: "CIDR,…", help: "addresses and ranges it may be used from; any, unless given" },
    expires: { value: "ISO", help: "when it expires, like 2027-01-31T00:00Z; never, unless given" },
  },
  async run(values) {
    const [ips, expires] = [values.optional("ips"), values.optional("expires")];
    const asked = {
      label: values.text("label"),
      kind: keyKinds.find((kind) => kind === values.optional("kind")),
      scopes: wordsIn(values.optional("scopes") ?? "all"),
      addresses: ips === undefined ? [] : wordsIn(ips),
      expiresAtMs: expires === undefined ? null : momentIn("expires", expires),
    };
    const { owner, created } = await withAccess(async ({ keys, accountOf }) => {
      const account = await accountOf(values.text("account"));
      return { owner: account.email, created: await keys.create({ accountId: account.id, ...asked }) };
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
    return { json: { keys: rows }, text: rows.length === 0 ? "There are no keys." : table([heading, ...lines]) };
  },
};

const keyRevoke: Command = {
  name: "key revoke",
  summary: "End an API key for good; a running server refuses it within a second",
  options: { id: { value: "ID", help: "the key's id, as key list shows it", required: true } },
  async run(values) {
    const { key, owner } = await withAccess(async ({ keys, accounts }) => {
      const revoked = await keys.revoke(values.text("id"), "operator");
      return { key: revoked, owner: await accounts.find(revoked.accountId) };
    });
    return { json: jsonOf(key, owner?.email), text: `The key “${key.label}” (${key.start}…${key.last4}) is revoked.` };
  },
};

export const keyCommands: readonly Command[] = [keyCreate, keyList, keyRevoke];
