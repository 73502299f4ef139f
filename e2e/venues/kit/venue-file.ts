import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const EXTENSION = ".scenario";

/** The text of a venue's scenario file, such as `kraken`. */
export const readVenueFile = (venue: string) => readFileSync(`${FOLDER}${venue}${EXTENSION}`, "utf8");

/** The venues that have a scenario file, in order. */
export function listVenues(): string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(EXTENSION));
  return files.map((name) => name.slice(0, -EXTENSION.length)).sort();
}
