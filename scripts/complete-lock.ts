import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * Adds to package-lock.json the optional packages that npm left out, and the checksums that are missing. npm omits the
 * builds for other systems when its registry does not serve them, and a Mac or a Windows machine would then install
 * without them. npm skips the added packages on systems that they do not fit.
 */

export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const OS = "aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32";
const CPU = "arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64";
const BUILD_NAME = new RegExp(`[-/](?:(${OS})-(${CPU})|wasm32-wasi)(?:-(\\w+))?$`);
const LIBC: Readonly<Record<string, string>> = { gnu: "glibc", musl: "musl" };

/** Reads the systems of a build from its name, such as "@next/swc-darwin-arm64"; null if it contains none. */
function readSystems(name: string): Pick<LockedPackage, "os" | "cpu" | "libc"> | null {
  const match = BUILD_NAME.exec(name);
  if (match === null) return null;
  const [, os, cpu, abi = ""] = match;
  if (os === undefined || cpu === undefined) return { cpu: ["wasm32"] };
  const libc = os === "linux" ? LIBC[abi] : undefined;
  return libc === undefined ? { os: [os], cpu: [cpu] } : { os: [os], cpu: [cpu], libc: [libc] };
}

/** Finds the optional packages without an entry, by the path of the entry: "node_modules/@next/swc-darwin-arm64". */
export function findMissing({ packages }: Lock): Map<string, LockedPackage> {
  const missing = new Map<string, LockedPackage>();
  for (const [path, owner] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
      if (isLocked(packages, path, name)) continue;
      const systems = readSystems(name);
      if (systems === null) throw new Error(`The name of ${name} does not say which systems it is for`);
      if (!/^\d/.test(version)) throw new Error(`${name}@${version} is a range, not a version`);
      missing.set(`node_modules/${name}`, createEntry(version, owner, systems));
    }
  }
  return missing;
}

/** Whether Node would find the package from a path: in its node_modules, or in those of a folder above. */
function isLocked(packages: Lock["packages"], path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (`${folder === "" ? "" : `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === "") return false;
  }
}

/** Creates an entry with the fields in npm's order. */
function createEntry(
  version: string,
  { dev, devOptional }: LockedPackage,
  { os, cpu, libc }: Pick<LockedPackage, "os" | "cpu" | "libc">,
): LockedPackage {
  return { version, cpu, dev, devOptional, libc, optional: true, os };
}

/** The paths of the packages without a checksum; the first entry is the project. */
export function findUnchecked({ packages }: Lock): string[] {
  return Object.keys(packages).filter((path) => path !== "" && packages[path]?.integrity === undefined);
}

/** Asks the registry for the checksum of a package. */
function readChecksum(path: string, { version }: LockedPackage): string {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error("npm is unknown here: start this program with npm run");
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const words = [npm, "view", `${name}@${version}`, "dist.integrity"];
  const integrity = execFileSync(process.execPath, words, { encoding: "utf8" }).trim();
  if (!/^sha512-\S+$/.test(integrity)) throw new Error(`The registry has no checksum of ${name}@${version}`);
  return integrity;
}

/** Writes the completed lock file and returns how many entries it gained. */
function completeLock(file: string): number {
  const lock = JSON.parse(readFileSync(file, "utf8")) as Lock;
  const missing = findMissing(lock);
  const packages: Record<string, LockedPackage> = { ...lock.packages, ...Object.fromEntries(missing) };
  for (const path of findUnchecked({ packages })) {
    const { version, ...rest } = packages[path] ?? {};
    packages[path] = { version, integrity: readChecksum(path, { version }), ...rest };
  }
  const sorted = Object.entries(packages).sort(([one], [other]) => one.localeCompare(other, "en"));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  return missing.size;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(`${completeLock("package-lock.json")} optional packages added to package-lock.json`);
}
