import { type Command, formatTable, toIso, withAccess } from "@/cli/command";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { IngestToken } from "@/lib/access/ingest-tokens";
import { loadConfig } from "@/lib/platform/config";

/** The operator's commands on the tokens of MetaTrader terminals. */

function toJson({ id, source, start, last4, createdAtMs, endedAtMs, lastUsedAtMs }: IngestToken) {
  const times = { created_at: toIso(createdAtMs), ended_at: toIso(endedAtMs), last_used_at: toIso(lastUsedAtMs) };
  return { id, source, start, last4, ...times };
}

const terminalCreate: Command = {
  name: "terminal create",
  summary: "Create the token of a MetaTrader 5 terminal, which is shown once",
  options: {
    source: { value: "NAME", help: "the name that answers show as source, such as icmarkets", required: true },
  },
  async run(values) {
    const created = await withAccess(({ ingestTokens }) => ingestTokens.create(values.text("source"), OPERATOR_CLI));
    const { secret, ...token } = created;
    const { publicUrl } = loadConfig(process.env);
    return {
      json: { ...toJson(token), token: secret, url: publicUrl },
      text: `${secret}\n\nFor the source ${token.source}, at ${publicUrl}. It cannot be shown again.`,
    };
  },
};

const terminalList: Command = {
  name: "terminal list",
  summary: "List the tokens of MetaTrader 5 terminals",
  options: {},
  async run() {
    const rows = (await withAccess(({ ingestTokens }) => ingestTokens.list())).map(toJson);
    const lines = rows.map(({ source, start, last4, ended_at, last_used_at, id }) => [
      source,
      `${start}…${last4}`,
      ended_at === null ? "valid" : "ended",
      last_used_at?.slice(0, 19) ?? "never",
      id,
    ]);
    const text = formatTable([["SOURCE", "TOKEN", "STATE", "LAST USED", "ID"], ...lines]);
    return { json: { terminals: rows }, text: rows.length === 0 ? "There are no tokens." : text };
  },
};

const terminalEnd: Command = {
  name: "terminal end",
  summary: "End the token of a MetaTrader 5 terminal, and its source with it",
  options: { id: { value: "ID", help: "the token's id, as terminal list shows it", required: true } },
  async run(values) {
    const id = values.text("id");
    const { source } = await withAccess(({ ingestTokens }) => ingestTokens.end(id, OPERATOR_CLI));
    return { json: { id, source, ended: true }, text: `The token of ${source} has ended.` };
  },
};

export const terminalCommands: readonly Command[] = [terminalCreate, terminalList, terminalEnd];
