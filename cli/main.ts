import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Command, parseWords, UsageError } from "@/cli/command";
import { overview, page } from "@/cli/help";

/**
 * The operator's command line: `npm run -s spotline -- COMMAND`. Answers go to standard output, complaints to standard
 * error. Exit codes: 0 done, 1 refused or found wrong, 2 a command line that makes no sense.
 */

async function main(words: readonly string[]): Promise<number> {
  // The schema and the settings are found from the project's folder, wherever the command was called.
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  const wantsJson = words.includes("--json");
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    return await perform(words);
  } catch (error) {
    complain(error, wantsJson);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function perform(words: readonly string[]): Promise<number> {
  const commands = await loadCommands();
  const [noun = "", verb = ""] = words;
  const command = commands.find(({ name }) => name === noun || name === `${noun} ${verb}`);
  if (command === undefined) return withoutCommand(words, commands);
  const { help, json, values } = parseWords(command, words.slice(command.name.split(" ").length));
  if (help) {
    print(page(command));
    return 0;
  }
  const outcome = await command.run(values);
  print(json ? JSON.stringify(outcome.json) : outcome.text);
  return outcome.failed === true ? 1 : 0;
}

function withoutCommand(words: readonly string[], commands: readonly Command[]): number {
  const named = words.filter((word) => !word.startsWith("-"));
  const ofNoun = commands.filter(({ name }) => name.split(" ")[0] === named[0]);
  const wantsHelp = words.length === 0 || words[0] === "help" || words.includes("--help") || words.includes("-h");
  const isComplete = named.length === 0 || named[0] === "help" || (named.length === 1 && ofNoun.length > 0);
  if (wantsHelp && isComplete) {
    print(overview(ofNoun.length > 0 ? ofNoun : commands));
    return 0;
  }
  const choices = (ofNoun.length > 0 ? ofNoun : commands).map(({ name }) => name).join(", ");
  throw new UsageError(`There is no command “${named.slice(0, 2).join(" ")}”; there is ${choices}.`);
}

/** Loaded only now, because the database client they need is generated code that a fresh checkout does not have. */
async function loadCommands(): Promise<readonly Command[]> {
  try {
    const lists = await Promise.all([
      import("@/cli/commands/account").then(({ accountCommands }) => accountCommands),
      import("@/cli/commands/invitation").then(({ invitationCommands }) => invitationCommands),
      import("@/cli/commands/key").then(({ keyCommands }) => keyCommands),
      import("@/cli/commands/audit").then(({ auditCommands }) => auditCommands),
      import("@/cli/commands/calendar").then(({ calendarCommands }) => calendarCommands),
      import("@/cli/commands/status").then(({ status }) => [status]),
      import("@/cli/commands/doctor").then(({ doctor }) => [doctor]),
    ]);
    return lists.flat();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
      throw new Error("The project is not built yet: run npm install and npm run generate first.");
    }
    throw error;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(error: unknown, json: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const given = error instanceof Error && "code" in error ? error.code : undefined;
  const code = typeof given === "string" ? given.toLowerCase() : "failed";
  process.stderr.write(json ? `${JSON.stringify({ error: { code, message } })}\n` : `${message}\n`);
}

process.exitCode = await main(process.argv.slice(2));
