import { rmSync } from "node:fs";
import { runTool } from "@/scripts/run";

/** `npm run types`: checks every type, those of the pages' routes included. */

// The development server leaves types of routes that may be gone.
rmSync(".next/dev/types", { recursive: true, force: true });
const passed = (await runTool("next", ["typegen"])) && (await runTool("typescript", ["--noEmit"]));
process.exitCode = passed ? 0 : 1;
