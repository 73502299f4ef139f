import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;

/** The commands of the installed packages, and the two of Node. */
const COMMANDS = new Set([
  "node",
  "npm",
  ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).flatMap(listCommands),
]);

function listCommands(packageName: string): string[] {
  const path = join("node_modules", packageName, "package.json");
  const { bin } = JSON.parse(readFileSync(path, "utf8")) as { bin?: string | Record<string, string> };
  if (bin === undefined) return [];
  return typeof bin === "string" ? [packageName] : Object.keys(bin);
}

/** Finds a word that cmd.exe and a POSIX shell would treat differently; null if there is none. */
function findUnportable(script: string): string | null {
  for (const command of script.split(" && ")) {
    const words = command.split(" ");
    const unportable = words.find((word) => !/^[\w./:@=-]+$/.test(word));
    if (unportable !== undefined) return unportable;
    if (!COMMANDS.has(words[0] ?? "")) return words[0] ?? "";
  }
  return null;
}

test("No script needs a POSIX shell", () => {
  const unportable = Object.entries(manifest.scripts).filter(([, script]) => findUnportable(script) !== null);
  expect(unportable).toEqual([]);
});
