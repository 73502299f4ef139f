import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeApi } from "@/lib/api/openapi/describe-api";
import { endpoints } from "@/lib/api/registry";

/** What other generators make of the document compiles strictly. They are installed for this test, from the npm registry. */

const PACKAGES = ["orval@8.38.0", "oazapfts@7.5.0", "swagger-typescript-api@13.13.0"];
const MINUTES = 60_000;
let folder = "";
let isInstalled = false;

const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: folder });
const runInstalled = (name: string, ...args: string[]) => run(join(folder, "node_modules", ".bin", name), ...args);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "spotline-generators-"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(describeApi(endpoints, "https://prices.example")));
  isInstalled = await run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", ...PACKAGES).then(
    () => true,
    (error: unknown) => {
      process.stderr.write(`SKIPPED: other generators, because npm could not install them: ${String(error)}\n`);
      return false;
    },
  );
}, 10 * MINUTES);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GENERATORS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["orval", ["--input", "./openapi.json", "--output", "./client.ts", "--client", "fetch"]],
  ["oazapfts", ["openapi.json", "client.ts"]],
  ["swagger-typescript-api", ["generate", "-p", "openapi.json", "-o", ".", "-n", "client.ts"]],
];

test.for(GENERATORS)(
  "What %s makes of the document compiles strictly",
  { timeout: 10 * MINUTES },
  async ([name, args], { skip }) => {
    if (!isInstalled) return skip();
    await runInstalled(name, ...args);
    const strict = ["--strict", "--noUncheckedIndexedAccess", "--noEmit", "--skipLibCheck"];
    const target = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
    const compiler = join(process.cwd(), "node_modules", "typescript", "bin", "tsc");
    const compiled = await run(process.execPath, compiler, ...strict, ...target, "client.ts").catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe("");
  },
);
