import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** What a server needs beside the pages. */
const SHARED = ["dist", "node_modules", "package.json", "next.config.mjs", "prisma", "public", "docs"];
const TEXTS = /\.(js|json|css|map|html|rsc|txt|meta)$/;

/**
 * Creates a second build of the pages: the first one with other ids. Its build id, the ids of its actions and the names
 * of its scripts and styles are those of no other build, as after a change of the code, and building it takes a second.
 * Returns the folder to start a server in, and what removes it.
 */
export function createSecondBuild(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "spotline-build-"));
  for (const name of SHARED) symlinkSync(join(process.cwd(), name), join(folder, name));
  const build = join(folder, ".next");
  mkdirSync(build);
  for (const name of readdirSync(".next")) {
    if (name !== "cache" && !name.startsWith("trace"))
      cpSync(join(".next", name), join(build, name), { recursive: true });
  }
  const names = listOtherNames(build);
  const pattern = new RegExp([...names.keys()].map((name) => name.replaceAll(/[.~]/g, "\\$&")).join("|"), "g");
  const replace = (text: string): string => text.replaceAll(pattern, (name) => names.get(name) ?? name);
  for (const name of readdirSync(build, { recursive: true, encoding: "utf8" })) {
    const path = join(build, name);
    if (!statSync(path).isFile()) continue;
    // The compressed copies would have the old names. Next compresses the others.
    if (path.endsWith(".br")) rmSync(path);
    else if (TEXTS.test(path) || basename(path) === "BUILD_ID") {
      const text = readFileSync(path, "utf8");
      const other = replace(text);
      if (other !== text) writeFileSync(path, other);
    }
  }
  // Deepest first, so that no renamed folder hides a file.
  const paths = readdirSync(join(build, "static"), { recursive: true, encoding: "utf8" }).sort().reverse();
  for (const name of paths) {
    const [from, to] = [join(build, "static", name), join(build, "static", name)];
    const other = replace(basename(name));
    if (other !== basename(name)) renameSync(from, to.slice(0, -basename(name).length) + other);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The new name of each build, action, script and style. */
function listOtherNames(build: string): ReadonlyMap<string, string> {
  const actions = JSON.parse(readFileSync(join(build, "server/server-reference-manifest.json"), "utf8")) as {
    readonly node: Readonly<Record<string, unknown>>;
  };
  const files = readdirSync(join(build, "static/chunks")).filter((name) => /\.(js|css)$/.test(name));
  // The first two digits of the id of an action tell which arguments it takes.
  const old = [readFileSync(join(build, "BUILD_ID"), "utf8"), ...files.map((name) => name.replace(/\.\w+$/, ""))];
  return new Map([
    ...old.map((name) => [name, `z${[...name.slice(1)].reverse().join("")}`] as const),
    ...Object.keys(actions.node).map((id) => [id, id.slice(0, 2) + [...id.slice(2)].reverse().join("")] as const),
  ]);
}
