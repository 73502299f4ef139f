import type { Command } from "@/cli/command";
import { table } from "@/cli/table";

const programme = "npm run -s spotline --";

/** The list of commands. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [`  ${name}`, summary]);
  return [
    `Usage: ${programme} COMMAND [OPTIONS]`,
    "",
    "Commands:",
    table(rows),
    "",
    "Every command knows --json, for one JSON document on standard output, and --help.",
    "The settings are the server's: the environment, and .env.",
  ].join("\n");
}

/** One command's own page. */
export function page({ name, summary, argument, options }: Command): string {
  const rows = Object.entries(options).map(([option, { value, help, required, choices }]) => [
    `  --${option} ${choices?.join("|") ?? value}`,
    `${help}${required ? "" : " (optional)"}`,
  ]);
  if (argument !== undefined) rows.unshift([`  ${argument.value}`, argument.help]);
  rows.push(["  --json", "answer with one JSON document (optional)"]);
  const words = argument === undefined ? name : `${name} ${argument.value}`;
  return [`Usage: ${programme} ${words} [OPTIONS]`, "", summary, "", "Options:", table(rows)].join("\n");
}
