import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ORIGIN_MARK } from "@/features/docs/document";

/**
 * Reads a text that this installation has beside it, such as the changelog, as a page. Its links to files of the source
 * do not lead anywhere here, and its calls are of this installation.
 */
export function readFile(name: string, title: string): string {
  try {
    const text = readFileSync(join(/* turbopackIgnore: true */ process.cwd(), name), "utf8");
    return text
      .replaceAll(/\[([^\]]+)\]\((?!https?:|\/)[^)]*\)/g, "$1")
      .replaceAll("http://localhost:3000", ORIGIN_MARK);
  } catch {
    return `# ${title}\n\nThis installation has no ${name} beside it.`;
  }
}
