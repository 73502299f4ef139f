import { parseArgs } from "node:util";

/**
 * A command and the parsing of its arguments. Every option takes a value. `--json` and `--help` belong to every command
 * and are handled by `runCommandLine`.
 */

interface Option {
  /** The placeholder of the value in the help: "EMAIL". */
  readonly value: string;
  readonly help: string;
  readonly required?: boolean;
  readonly choices?: readonly string[];
}

export interface Command {
  /** "account create". */
  readonly name: string;
  readonly summary: string;
  /** The one positional argument, as in "calendar import FILE"; its value is named "argument". */
  readonly argument?: Pick<Option, "value" | "help">;
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
interface Values {
  text(name: string): string;
  optional(name: string): string | undefined;
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
  const named = Object.keys(command.options).map((name) => [name, { type: "string" }] as const);
  let parsedOptions: Record<string, string | boolean | undefined>;
  let argument: string | undefined;
  try {
    const flags = { help: { type: "boolean", short: "h" }, json: { type: "boolean" } } as const;
    const options = { ...Object.fromEntries(named), ...flags };
    const allowPositionals = command.argument !== undefined;
    const parsed = parseArgs({ args: [...words], options, strict: true, allowPositionals });
    parsedOptions = parsed.values;
    argument = readArgument(command, parsed.positionals, parsed.values.help === true);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(readFirstSentence(error));
  }
  const help = parsedOptions["help"] === true;
  if (!help) {
    for (const [name, option] of Object.entries(command.options)) check(name, option, parsedOptions[name]);
  }
  const optional = (name: string) => {
    const value = name === "argument" ? argument : parsedOptions[name];
    return typeof value === "string" ? value : undefined;
  };
  return { help, json: parsedOptions["json"] === true, values: { optional, text: (name) => optional(name) ?? "" } };
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

/** Returns the first sentence of Node.js's message, which names the option. */
function readFirstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const first = `${(/^.*?(?=\. |\n|$)/.exec(message)?.[0] ?? message).replace(/\.$/, "")}.`;
  const ambiguous = /^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous/.exec(first);
  return ambiguous === null ? first : `A value that begins with a dash is written ${ambiguous[1]}=VALUE.`;
}
