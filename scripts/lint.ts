import { runTool } from "@/scripts/run";

/** `npm run lint`: checks the rules and the layout of all files, and that nothing is unused. */

const results = [
  await runTool("oxfmt", ["--check"]),
  await runTool("knip", ["--no-progress"]),
  await runTool("oxlint", ["."]),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
