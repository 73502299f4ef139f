import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Finds the folder of recorded market data that is not part of the project: SPOTLINE_REAL_DATA, or `../shared/data`
 * beside the project. Returns undefined, and prints a notice, if there is none.
 */
export function findRealData(): string | undefined {
  const dir = process.env.SPOTLINE_REAL_DATA ?? join(process.cwd(), "../shared/data");
  if (existsSync(dir)) return dir;
  process.stderr.write(`\n*** SKIPPED: no real market data at ${dir} (set SPOTLINE_REAL_DATA) ***\n\n`);
  return undefined;
}
