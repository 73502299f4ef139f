import { rmSync } from "node:fs";
import { runTool } from "@/scripts/run";

/** `npm run types`: checks all types, including those of the routes. */

// The development server may leave types of deleted routes.
rmSync(".next/dev/types", { recursive: true, force: true });
const passed =
  (await runTool("next", ["typegen"])) && (await runTool("typescript-native", ["--noEmit", "--incremental", "false"]));
process.exitCode = passed ? 0 : 1;
