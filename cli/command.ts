import { parseArgs } from "node:util";
import type { Access } from "@/cli/services";
import type { Database } from "@/lib/platform/database/database";
import { describeError } from "@/lib/text/describe-error";
import { parseDay } from "@/lib/time/iso-time";

/**
 * A command and the parsing of its arguments. Every option but a flag takes a value. `--json` and `--help` belong to every command
 * and are handled by `runCommandLine`.
 */

interface Option {
  /** The placeholder of the value in the help: "EMAIL". */
  readonly value: string;
  readonly help: string;
  readonly required?: boolean;
  readonly choices?: readonly string[];
  /** Takes no value: "--dry-run". */
  readonly flag?: true;
}

export interface Command {
  /** "account create". */
  readonly name: string;
  readonly summary: string;
  /** The one positional argument, as in "calendar import FILE"; its value is named "argument". */
  readonly argument?: Pick<Option, "value" | "help"> & {
    /** Whether there may be several, as in "import FILE…", or those named, as in "sources unalias NAME SPELLING". */
    readonly isMany?: true;
  };
  readonly options: Readonly<Record<string, Option>>;
  run(values: Values): Promise<Outcome>;
}

interface Outcome {
  /** The document that `--json` prints. */
  readonly json: unknown;
  /** The text for a terminal. */
  readonly text: string;
  /** Set when the command succeeded but found a fault. */
  readonly failed?: boolean;
}

/** The options by name. Required ones are always present. */
export interface Values {
  /** The positional arguments. */
  readonly all: readonly string[];
  text(name: string): string;
  optional(name: string): string | undefined;
  /** Whether a flag is given. */
  has(name: string): boolean;
}

/** Thrown for an invalid command line, which ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}

interface ParsedWords {
  readonly help: boolean;
  readonly json: boolean;
  readonly values: Values;
}

/** Parses the arguments after a command's name. Throws a UsageError if they do not match its help. */
export function parseWords(command: Command, words: readonly string[]): ParsedWords {
  const named = Object.entries(command.options).map(
    ([name, { flag }]) => [name, { type: flag ? "boolean" : "string" }] as const,
  );
  let parsedOptions: Record<string, string | boolean | undefined>;
  let all: readonly string[];
  try {
    const flags = { help: { type: "boolean", short: "h" }, json: { type: "boolean" } } as const;
    const options = { ...Object.fromEntries(named), ...flags };
    const allowPositionals = command.argument !== undefined;
    const parsed = parseArgs({ args: [...words], options, strict: true, allowPositionals });
    parsedOptions = parsed.values;
    all = readArguments(command, parsed.positionals, parsed.values.help === true);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(readFirstSentence(error));
  }
  const help = parsedOptions["help"] === true;
  if (!help) {
    for (const [name, option] of Object.entries(command.options)) check(name, option, parsedOptions[name]);
  }
  const optional = (name: string) => {
    const value = name === "argument" ? all[0] : parsedOptions[name];
    return typeof value === "string" ? value : undefined;
  };
  const has = (name: string) => parsedOptions[name] === true;
  const values = { all, optional, has, text: (name: string) => optional(name) ?? "" };
  return { help, json: parsedOptions["json"] === true, values };
}

function readArguments({ argument }: Command, positionals: readonly string[], help: boolean): readonly string[] {
  if (argument === undefined || help) return [];
  if (positionals.length === 1 || (positionals.length > 0 && argument.isMany)) return positionals;
  throw new UsageError(
    positionals.length === 0 ? `${argument.value} is missing.` : `Only one ${argument.value} at a time.`,
  );
}

function check(name: string, { required, choices }: Option, value: string | boolean | undefined): void {
  if (value === undefined) {
    if (required) throw new UsageError(`--${name} is missing.`);
  } else if (choices !== undefined && !choices.includes(String(value))) {
    throw new UsageError(`--${name} must be one of ${choices.join(", ")}.`);
  }
}

/** Returns the first sentence of Node.js's message, which names the option. */
function readFirstSentence(error: unknown): string {
  const message = describeError(error);
  const first = `${(/^.*?(?=\. |\n|$)/.exec(message)?.[0] ?? message).replace(/\.$/, "")}.`;
  const ambiguous = /^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous/.exec(first);
  return ambiguous === null ? first : `A value that begins with a dash is written ${ambiguous[1]}=VALUE.`;
}

/** Formats rows as aligned columns. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, [...cell].length)));
  const line = (row: readonly string[]) =>
    row.map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - [...cell].length)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

/** Opens the database for the duration of `work`. A server may be running on it. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  // Imported on demand, so that the help does not load the database client.
  const { connectDatabase } = await import("@/cli/services");
  const database = await connectDatabase();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Opens the database and the services of the commands on accounts and keys. */
export function withAccess<Result>(work: (access: Access) => Promise<Result>): Promise<Result> {
  return withDatabase(async (database) => {
    const { createServices } = await import("@/cli/services");
    return work(createServices(database));
  });
}

/** Splits a comma-separated list and trims its items. */
export function splitList(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}

/** Parses an ISO 8601 time as UTC milliseconds. Without an offset it is UTC. */
export function parseMoment(option: string, text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const [, date = "", time = "T00:00", , , zone = "Z"] = match ?? [];
  const atMs = Date.parse(date + time + zone);
  // Date.parse accepts a day that does not exist, such as 30 February.
  if (match === null || Number.isNaN(atMs) || parseDay(date) === null) {
    throw new UsageError(`--${option} must be a date and time like 2027-01-31T00:00Z.`);
  }
  return atMs;
}

export function toIso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
