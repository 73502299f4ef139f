import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { runTool } from "@/scripts/run";

/** `npm run types`: checks all types, including those of the routes. */

// The development server may leave types of deleted routes.
rmSync(".next/dev/types", { recursive: true, force: true });
// Every further checker computes a quarter of the types again. In a run of all tests, lint uses the rest of the machine.
const checkers = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
const options = ["--noEmit", "--incremental", "false", "--checkers", String(checkers)];
const passed = (await runTool("next", ["typegen"])) && (await runTool("typescript-native", options));
process.exitCode = passed ? 0 : 1;
