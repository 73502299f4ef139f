import { runTool } from "@/scripts/run";

/**
 * `npm run lint`: checks the rules and the layout of all files, and that nothing is unused. No rule reads types, so a
 * file that has not changed since it passed is not checked again.
 */

const cache = (tool: string) => [
  "--cache",
  "--cache-strategy",
  "content",
  "--cache-location",
  `node_modules/.cache/${tool}`,
];

async function checkLayout(): Promise<boolean> {
  const isFormatted = await runTool("prettier", ["--check", ".", "--log-level", "warn", ...cache("prettier")]);
  return (await runTool("knip", ["--no-progress"])) && isFormatted;
}

const results = await Promise.all([runTool("eslint", [".", "--max-warnings", "0", ...cache("eslint")]), checkLayout()]);
process.exitCode = results.every(Boolean) ? 0 : 1;
