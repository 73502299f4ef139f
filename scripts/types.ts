import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { runTool } from "@/scripts/run";

/** `npm run types`: checks all types, including those of the routes, and generates what they need. */

// The development server may leave types of deleted routes.
rmSync(".next/dev/types", { recursive: true, force: true });
// A further run checks only what a change concerns. Every further checker computes a quarter of the types again. In a run of all tests, lint uses the rest of the machine.
const checkers = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
const options = [
  "--noEmit",
  "--incremental",
  "--tsBuildInfoFile",
  "node_modules/.cache/types.tsbuildinfo",
  "--checkers",
  String(checkers),
];
// The build has generated the database client already.
const generated = existsSync("prisma/generated") || (await runTool("tsx", ["scripts/generate.ts"]));
// The clients' types are checked as they follow from the present API.
const steps = [runTool("tsx", ["scripts/generate-clients.ts"]), runTool("next", ["typegen"])];
const passed = (await Promise.all(steps)).every(Boolean) && generated;
process.exitCode = passed && (await runTool("typescript-native", options)) ? 0 : 1;
