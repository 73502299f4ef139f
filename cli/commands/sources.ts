import { setTimeout as pause } from "node:timers/promises";
import { type Command, formatTable, UsageError, type Values, withAccess } from "@/cli/command";
import { describeConnection, fetchStatus, toSourceJson } from "@/cli/fetch-status";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { ServerStatus } from "@/lib/readers/messages";
import { formatAge } from "@/lib/time/duration";

/** The operator's commands on the sources of prices. */

const name = { value: "NAME", help: "the source's name, as sources list shows it", required: true };

const POLL_MS = 500;
const RELOAD_POLLS = 40;

async function readStatus(): Promise<{ readonly nowMs: number; readonly status: ServerStatus }> {
  const { nowMs, status } = await fetchStatus();
  if (status === null) throw new Error("The server has only just started. Ask again in a moment.");
  return { nowMs, status };
}

function requireSource({ feeds }: ServerStatus, name: string): void {
  if (feeds.every(({ source }) => source !== name)) throw new UsageError(`There is no source named ${name}.`);
}

const sourcesList: Command = {
  name: "sources list",
  summary: "List the sources of the running server, most trusted first",
  options: {},
  async run() {
    const { nowMs, status } = await readStatus();
    const rows = status.feeds.map((feed) => [
      feed.source,
      feed.kind,
      feed.mode,
      feed.health,
      describeConnection(feed),
      feed.lastTickAtMs === null ? "never" : `${formatAge(nowMs - feed.lastTickAtMs)} ago`,
      feed.expectedPerMinute === null
        ? String(feed.lastMinute)
        : `${feed.lastMinute} of ${Math.round(feed.expectedPerMinute)}`,
      feed.lastError ?? "",
    ]);
    const heading = ["SOURCE", "KIND", "MODE", "HEALTH", "CONNECTION", "LAST TICK", "LAST MINUTE", "LAST ERROR"];
    return { json: { sources: status.feeds.map(toSourceJson) }, text: formatTable([heading, ...rows]) };
  },
};

const sourcesPause: Command = {
  name: "sources pause",
  summary: "Stop the prices of a source until it is resumed, also after a restart",
  options: { name },
  async run(values) {
    const source = values.text("name");
    const { status } = await readStatus();
    requireSource(status, source);
    await withAccess(({ sourceControl }) => sourceControl.pause(source, OPERATOR_CLI));
    return { json: { source, paused: true }, text: `${source} is paused.` };
  },
};

const sourcesResume: Command = {
  name: "sources resume",
  summary: "Accept the prices of a paused source again",
  options: { name },
  async run(values) {
    const source = values.text("name");
    await withAccess(({ sourceControl }) => sourceControl.resume(source, OPERATOR_CLI));
    return { json: { source, paused: false }, text: `${source} is resumed.` };
  },
};

const sourcesReload: Command = {
  name: "sources reload",
  summary: "Have the running server read its file of sources again; only those that differ are stopped or started",
  options: {},
  async run() {
    await readStatus();
    const request = await withAccess(({ sourceControl }) => sourceControl.reload(OPERATOR_CLI));
    for (let poll = 0; poll < RELOAD_POLLS; poll++) {
      await pause(POLL_MS);
      const { reload } = (await readStatus()).status;
      if (reload.request < request) continue;
      if (reload.change === null) throw new Error(reload.error ?? "The sources could not be read.");
      return { json: reload.change, text: describeChange(reload.change) };
    }
    throw new Error("The server has not answered yet; sources list shows what it does.");
  },
};

function describeChange(change: NonNullable<ServerStatus["reload"]["change"]>): string {
  const parts = (["added", "removed", "changed"] as const).flatMap((what) =>
    change[what].length === 0 ? [] : [`${what}: ${change[what].join(", ")}`],
  );
  return parts.length === 0 ? "Nothing differs." : `${parts.join("; ")}.`;
}

/** Checks the arguments of a command on one alias. Throws a UsageError. */
function readArguments(values: Values, names: readonly string[]): readonly string[] {
  if (values.all.length === names.length) return values.all;
  throw new UsageError(`Enter ${names.join(" ")}.`);
}

const sourcesAlias: Command = {
  name: "sources alias",
  summary: "Give a spelling of a source a symbol of the catalog, also after a restart",
  argument: {
    value: "NAME SPELLING SYMBOL",
    help: "the source, the spelling as it sends it, the symbol",
    isMany: true,
  },
  options: {},
  async run(values) {
    const [source = "", spelling = "", symbol = ""] = readArguments(values, ["NAME", "SPELLING", "SYMBOL"]);
    const { status } = await readStatus();
    requireSource(status, source);
    const canonical = await withAccess(({ sourceControl }) =>
      sourceControl.alias(source, { spelling, symbol }, OPERATOR_CLI),
    );
    return { json: { source, spelling, symbol: canonical }, text: `${spelling} of ${source} is ${canonical}.` };
  },
};

const sourcesUnalias: Command = {
  name: "sources unalias",
  summary: "Remove an alias that was added by alias or on the feeds page",
  argument: { value: "NAME SPELLING", help: "the source, the spelling as it sends it", isMany: true },
  options: {},
  async run(values) {
    const [source = "", spelling = ""] = readArguments(values, ["NAME", "SPELLING"]);
    await withAccess(({ sourceControl }) => sourceControl.unalias(source, spelling, OPERATOR_CLI));
    return { json: { source, spelling, symbol: null }, text: `The alias ${spelling} of ${source} is removed.` };
  },
};

export const sourceCommands: readonly Command[] = [
  sourcesList,
  sourcesPause,
  sourcesResume,
  sourcesAlias,
  sourcesUnalias,
  sourcesReload,
];
