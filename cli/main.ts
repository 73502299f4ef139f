import { existsSync } from "node:fs";
import { runCommandLine } from "@/cli/run";
import { toTerminalText } from "@/lib/text/text";

/** The operator's command line: `npm run -s spotline -- COMMAND`. */

if (existsSync(".env")) process.loadEnvFile(".env");
process.exitCode = await runCommandLine(process.argv.slice(2), {
  write: (text) => void process.stdout.write(toTerminalText(text)),
  writeError: (text) => void process.stderr.write(toTerminalText(text)),
});
