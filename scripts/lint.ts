import { runTool } from "@/scripts/run";

/** `npm run lint`: checks the rules and the layout of all files, and that nothing is unused. */

const results = [
  await runTool("oxfmt", ["--check"]),
  await runTool("knip", ["--no-progress"]),
  // The rules about promises read all types, in a program that spends less time on collecting its garbage like this.
  await runTool("oxlint", ["."], { env: { GOGC: "400" } }),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
