import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { EMBEDDED_PACKAGE, findPrograms } from "@/lib/platform/embedded/programs";

/**
 * `npm run build:image -- FOLDER`: copies what running needs from a finished build into an empty folder, for an image or
 * for a machine that does not build.
 */

/** Returns the bytes that were copied. */
export async function buildImage(root: string, folder: string): Promise<number> {
  if (!existsSync(join(root, "dist/server.mjs"))) throw new Error("There is no build: run npm run build first.");
  // Makes the links to its libraries, which a server that may not write there needs.
  await findPrograms();
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  let bytes = 0;
  for (const name of await listImageFiles(root)) {
    const [from, to] = [join(root, name), join(folder, name)];
    mkdirSync(dirname(to), { recursive: true });
    const stats = lstatSync(from);
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else copyFileSync(from, to);
    bytes += stats.size;
  }
  return bytes;
}

/** Files and folders that are copied as they are; a name ending in a slash is a folder. */
const OWN = [
  "dist/",
  ".next/",
  "public/",
  "docs/",
  "prisma/migrations/",
  "cli/launch.mjs",
  "next.config.mjs",
  "scripts/health-probe.mjs",
  "spotline.config.example.ts",
  "package.json",
  "CHANGELOG.md",
  "LICENSE",
];

/** What only a build, its debugging or a test uses. */
const LEFT_OUT =
  /^dist\/testing\/|^\.next\/(cache|build|diagnostics|types|dev)\/|^\.next\/trace|^docs\/pictures\/|\.map$|\.nft\.json$|\.test\.ts$|^lib\/.*\.ts$/;

/** The programs whose packages are found by following their imports. */
const PROGRAMS = [
  "dist/server.mjs",
  "dist/pages-server.mjs",
  "dist/backfill-thread.mjs",
  "dist/import-process.mjs",
  "dist/export-process.mjs",
  "dist/spotline.mjs",
];

/**
 * What only compiling and developing use of what the programs could import. Of these, Next itself lists the few that its
 * server reads.
 */
const BUILDING = [
  ...["@next/swc-*", "sharp", "typescript", "webpack"].map((name) => `node_modules/${name}/**`),
  ...[
    "build/{webpack,babel,swc,turbopack}*",
    "bundle-analyzer",
    "compiled/{react,webpack,babel,@babel,@next,next-,terser,postcss,cssnano,browserslist}*",
    "esm",
    "next-devtools",
    "server/dev",
  ].map((name) => `node_modules/next/dist/${name}/**`),
];

/** Packages that read files of their own beside them, or run them: imports do not show which. */
const WHOLE = [
  EMBEDDED_PACKAGE,
  "esbuild",
  "next/dist/compiled/@babel/runtime",
  "next/dist/compiled/webpack",
  `@esbuild/${process.platform}-${process.arch}`,
];

/**
 * Files of packages that nothing reads at run time, such as libraries for compilers. Images are not resized, so sharp and what it needs are not used; esbuild runs the
 * program of its package for this system.
 */
const UNREAD = /\.(map|md|markdown|a|d\.[cm]?ts)$|^node_modules\/(sharp|@img|detect-libc|semver|esbuild\/bin)\//;

/** Lists the files relative to `root`, with slashes, sorted. Symbolic links are listed as such. */
async function listImageFiles(root: string): Promise<string[]> {
  const own = (await Promise.all(OWN.map((name) => listFiles(root, name)))).flat();
  const kept = own.filter((name) => !LEFT_OUT.test(name));
  const whole = (await Promise.all(WHOLE.map((name) => listFiles(root, `node_modules/${name}/`)))).flat();
  const packages = [...whole, ...(await tracePrograms(root)), ...(await listTracedByNext(root))];
  return [...new Set([...kept, ...packages.filter((name) => !UNREAD.test(name))])].sort();
}

async function listFiles(root: string, name: string): Promise<string[]> {
  if (!name.endsWith("/")) return [name];
  const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => toName(root, join(entry.parentPath, entry.name)));
}

async function tracePrograms(root: string): Promise<string[]> {
  const programs = PROGRAMS.map((name) => join(root, name));
  // Only imports are followed: what packages read beside them is listed above.
  const analysis = { emitGlobs: false, computeFileReferences: false, evaluatePureExpressions: false };
  const { fileList } = await nodeFileTrace(programs, { base: root, ignore: [...BUILDING], analysis });
  return [...fileList].map((name) => name.split(sep).join("/")).filter(isInPackage);
}

/** Next lists the files that its server and each page read, beside them. */
async function listTracedByNext(root: string): Promise<string[]> {
  const lists = (await listFiles(root, ".next/")).filter((name) => name.endsWith(".nft.json"));
  const names = lists.flatMap((list) => {
    const path = join(root, list);
    const { files } = JSON.parse(readFileSync(path, "utf8")) as { files: string[] };
    return files.map((file) => toName(root, resolve(dirname(path), file)));
  });
  // Most pages read the same files.
  return [...new Set(names)].filter(
    (name) => isInPackage(name) && statSync(join(root, name), { throwIfNoEntry: false })?.isFile() === true,
  );
}

const isInPackage = (name: string): boolean => name.startsWith("node_modules/");

const toName = (root: string, path: string): string => relative(root, path).split(sep).join("/");

if (process.argv[1]?.endsWith("build-image.ts") === true) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Name the folder to write: npm run build:image -- FOLDER");
  const bytes = await buildImage(process.cwd(), folder);
  console.log(`${(bytes / 1e6).toFixed(1)} MB in ${folder}`);
}
