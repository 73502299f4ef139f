import { parseArgs } from "node:util";

/**
 * What a command is, and how words on a command line become the values it asked for. Every option takes a value, so
 * that one reading fits all; `--json` and `--help` belong to every command and are dealt with by main.
 */

interface Option {
  /** What stands for the value in the help: "EMAIL". */
  readonly value: string;
  readonly help: string;
  readonly required?: boolean;
  readonly choices?: readonly string[];
}

export interface Command {
  /** "account create". */
  readonly name: string;
  readonly summary: string;
  /** The one word that stands without a name, as in "calendar import FILE"; it is then among the values as "argument". */
  readonly argument?: Pick<Option, "value" | "help">;
  readonly options: Readonly<Record<string, Option>>;
  run(values: Values): Promise<Outcome>;
}

interface Outcome {
  /** The whole answer under `--json`. */
  readonly json: unknown;
  /** The answer for people. */
  readonly text: string;
  /** Set when the command did its work and what it found is bad. */
  readonly failed?: boolean;
}

/** The options given, by name; those required are always there. */
interface Values {
  text(name: string): string;
  optional(name: string): string | undefined;
}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}

interface ParsedWords {
  readonly help: boolean;
  readonly json: boolean;
  readonly values: Values;
}

/** Reads the words after a command's name. Throws a UsageError for anything that is not as its help says. */
export function parseWords(command: Command, words: readonly string[]): ParsedWords {
  const named = Object.keys(command.options).map((name) => [name, { type: "string" }] as const);
  let given: Record<string, string | boolean | undefined>;
  let argument: string | undefined;
  try {
    const flags = { help: { type: "boolean", short: "h" }, json: { type: "boolean" } } as const;
    const options = { ...Object.fromEntries(named), ...flags };
    const allowPositionals = command.argument !== undefined;
    const parsed = parseArgs({ args: [...words], options, strict: true, allowPositionals });
    given = parsed.values;
    argument = readArgument(command, parsed.positionals, parsed.values.help === true);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(sentence(error));
  }
  const help = given["help"] === true;
  if (!help) {
    for (const [name, option] of Object.entries(command.options)) check(name, option, given[name]);
  }
  const optional = (name: string) => {
    const value = name === "argument" ? argument : given[name];
    return typeof value === "string" ? value : undefined;
  };
  return { help, json: given["json"] === true, values: { optional, text: (name) => optional(name) ?? "" } };
}

function readArgument({ argument }: Command, positionals: readonly string[], help: boolean): string | undefined {
  if (argument === undefined || help) return undefined;
  if (positionals.length === 1) return positionals[0];
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

/** The first sentence of Node's own message, which names the option; the rest advises on positionals. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const first = `${(/^.*?(?=\. |\n|$)/.exec(message)?.[0] ?? message).replace(/\.$/, "")}.`;
  const ambiguous = /^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous/.exec(first);
  return ambiguous === null ? first : `A value that begins with a dash is written ${ambiguous[1]}=VALUE.`;
}
