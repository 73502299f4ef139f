import type { Command } from "@/cli/command";
import { formatTable } from "@/cli/table";

const PROGRAM = "npm run -s spotline --";

/** Formats the list of commands. */
export function formatOverview(commands: readonly Command[]): string {
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
export function formatHelp({ name, summary, argument, options }: Command): string {
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
