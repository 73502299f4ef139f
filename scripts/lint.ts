import { runTool } from "@/scripts/run";

/** `npm run lint`: checks the rules and the layout of all files, and that nothing is unused. */

async function checkLayout(): Promise<boolean> {
  const isFormatted = await runTool("prettier", ["--check", ".", "--log-level", "warn"]);
  return (await runTool("knip", ["--no-progress"])) && isFormatted;
}

const results = await Promise.all([runTool("eslint", [".", "--max-warnings", "0"]), checkLayout()]);
process.exitCode = results.every(Boolean) ? 0 : 1;
