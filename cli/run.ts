import { type Command, formatTable, parseWords, UsageError } from "@/cli/command";
import {
  describeFault,
  isDatabaseUnavailable,
  isDiskFull,
  isReadOnlyDatabase,
  UNREACHABLE,
} from "@/lib/platform/database/database-errors";

/** The output streams of a command. */
interface Output {
  write(text: string): void;
  writeError(text: string): void;
}

const commandLists = {
  account: () => import("@/cli/commands/account").then(({ accountCommands }) => accountCommands),
  invitation: () => import("@/cli/commands/invitation").then(({ invitationCommands }) => invitationCommands),
  key: () => import("@/cli/commands/key").then(({ keyCommands }) => keyCommands),
  verify: () => import("@/cli/commands/verify").then(({ verifyHistoryCommand }) => [verifyHistoryCommand]),
  audit: () => import("@/cli/commands/audit").then(({ auditCommands }) => auditCommands),
  calendar: () => import("@/cli/commands/calendar").then(({ calendarCommands }) => calendarCommands),
  import: () => import("@/cli/commands/import").then(({ importCommands }) => importCommands),
  export: () => import("@/cli/commands/export").then(({ exportCommand }) => [exportCommand]),
  database: () => import("@/cli/commands/database").then(({ databaseCommands }) => databaseCommands),
  backup: () => import("@/cli/commands/backup").then(({ backupCommands }) => backupCommands),
  restore: () => import("@/cli/commands/backup").then(({ backupCommands }) => backupCommands),
  upgrade: () => import("@/cli/commands/upgrade").then(({ upgradeCommands }) => upgradeCommands),
  terminal: () => import("@/cli/commands/terminal").then(({ terminalCommands }) => terminalCommands),
  sources: () => import("@/cli/commands/sources").then(({ sourceCommands }) => sourceCommands),
  status: () => import("@/cli/commands/status").then(({ status }) => [status]),
  instrument: () => import("@/cli/commands/instrument").then(({ instrumentCommands }) => instrumentCommands),
  mcp: () => import("@/cli/commands/mcp").then(({ mcp }) => [mcp]),
  doctor: () => import("@/cli/commands/doctor").then(({ doctor }) => [doctor]),
} satisfies Record<string, () => Promise<readonly Command[]>>;

/**
 * Runs one command line with the settings of the environment. Returns the exit code: 0 for success, 1 for a refusal
 * or a fault, 2 for an invalid command line.
 */
export async function runCommandLine(words: readonly string[], output: Output): Promise<number> {
  try {
    return await perform(words, output);
  } catch (error) {
    output.writeError(describeError(error, words.includes("--json")));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function perform(words: readonly string[], output: Output): Promise<number> {
  const [noun = "", verb = ""] = words;
  const commands = await loadCommands(noun);
  const command = commands.find(({ name }) => name === noun || name === `${noun} ${verb}`);
  if (command === undefined) {
    output.write(`${describeCommands(words, commands)}\n`);
    return 0;
  }
  const { help, json, values } = parseWords(command, words.slice(command.name.split(" ").length));
  if (help) {
    output.write(`${formatHelp(command)}\n`);
    return 0;
  }
  const outcome = await command.run(values);
  const written = json ? (JSON.stringify(outcome.json) as string | undefined) : outcome.text;
  // A command that serves another program has written everything itself.
  if (written) output.write(`${written}\n`);
  return outcome.failed === true ? 1 : 0;
}

/** Returns the help. Throws a UsageError for a command that does not exist. */
function describeCommands(words: readonly string[], commands: readonly Command[]): string {
  const named = words.filter((word) => !word.startsWith("-"));
  const matching = commands.filter(({ name }) => name.split(" ")[0] === named[0]);
  const wantsHelp = words.length === 0 || words[0] === "help" || words.includes("--help") || words.includes("-h");
  const isComplete = named.length === 0 || named[0] === "help" || (named.length === 1 && matching.length > 0);
  if (wantsHelp && isComplete) return formatOverview(matching.length > 0 ? matching : commands);
  const choices = (matching.length > 0 ? matching : commands).map(({ name }) => name).join(", ");
  throw new UsageError(`There is no command “${named.slice(0, 2).join(" ")}”. Commands: ${choices}.`);
}

/** Commands are loaded on demand: they need the generated database client, which a fresh checkout does not have. */
async function loadCommands(noun: string): Promise<readonly Command[]> {
  const load = Object.hasOwn(commandLists, noun) ? commandLists[noun as keyof typeof commandLists] : loadAllCommands;
  try {
    return await load();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
      throw new Error("The project is not built yet: run npm install and npm run generate first.");
    }
    throw error;
  }
}

async function loadAllCommands(): Promise<readonly Command[]> {
  const lists = await Promise.all(Object.values(commandLists).map((load) => load()));
  return [...new Set(lists.flat())];
}

function describeError(error: unknown, json: boolean): string {
  const errorCode = error instanceof Error && "code" in error ? error.code : undefined;
  const given = describeFault(error);
  const message = isDiskFull(error)
    ? "No space is left on the disk. Free some, then run the command again."
    : isReadOnlyDatabase(error)
      ? `Nothing was changed: ${given}.`
      : isDatabaseUnavailable(error) && errorCode !== "DATABASE_UNAVAILABLE"
        ? `The database cannot be reached now${given === UNREACHABLE ? "" : ` (${given})`}. Run the command again.`
        : given;
  const code = typeof errorCode === "string" ? errorCode.toLowerCase() : "failed";
  return json ? `${JSON.stringify({ error: { code, message } })}\n` : `${message}\n`;
}

const PROGRAM = "npm run -s spotline --";

/** Formats the list of commands. */
function formatOverview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [`  ${name}`, summary]);
  return [
    `Usage: ${PROGRAM} COMMAND [OPTIONS]`,
    "",
    "Commands:",
    formatTable(rows),
    "",
    "Every command accepts --json, which prints one JSON document, and --help.",
    "Commands read the same settings as the server: the environment and .env.",
  ].join("\n");
}

/** Formats the help of one command. */
function formatHelp({ name, summary, argument, options }: Command): string {
  const rows = Object.entries(options).map(([option, { value, help, required, choices, flag }]) => [
    flag ? `  --${option}` : `  --${option} ${choices?.join("|") ?? value}`,
    `${help}${required ? "" : " (optional)"}`,
  ]);
  const argumentName =
    argument === undefined
      ? ""
      : argument.isMany && !argument.value.includes(" ")
        ? `${argument.value}…`
        : argument.value;
  if (argument !== undefined) rows.unshift([`  ${argumentName}`, argument.help]);
  rows.push(["  --json", "print one JSON document (optional)"]);
  const words = argument === undefined ? name : `${name} ${argumentName}`;
  return [`Usage: ${PROGRAM} ${words} [OPTIONS]`, "", summary, "", "Options:", formatTable(rows)].join("\n");
}
