import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeFewPrices } from "@/e2e/support/few-prices";
import { EMBEDDED_PACKAGE } from "@/lib/platform/embedded/programs";
import { findFreePort } from "@/lib/platform/testing/free-port";
import { SHORT_RUN_FLAGS } from "@/lib/platform/testing/node-flags";
import { buildImage } from "@/scripts/build-image";

/** The folder of the image: what it has, and that it runs under the constraints of a container. */

/** Debian's user without rights, whom a test that runs as root becomes. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const MAX_BYTES = 160e6;

describe.skipIf(process.platform === "win32")("The folder of an image", () => {
  // Other users may not enter the folder of temporary files that tests have.
  const place = mkdtempSync(join(isRoot ? "/tmp" : tmpdir(), "spotline-image-"));
  const [app, data, temporary] = ["app", "data", "tmp"].map((name) => join(place, name)) as [string, string, string];
  let bytes = 0;

  beforeAll(async () => {
    chmodSync(place, 0o755);
    bytes = await buildImage(process.cwd(), app);
    for (const folder of [data, temporary]) {
      mkdirSync(folder, { mode: 0o700 });
      if (isRoot) chownSync(folder, NOBODY, NOBODY);
    }
    execFileSync("chmod", ["-R", "a-w", app]);
  });
  afterAll(() => {
    execFileSync("chmod", ["-R", "u+w", app]);
    rmSync(place, { recursive: true, force: true });
  });

  test("is small, and has no package that only building or testing needs", () => {
    expect(bytes).toBeLessThan(MAX_BYTES);
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const names = listPackages(join(app, "node_modules"));
    expect(names).toEqual(expect.arrayContaining(["next", "pg", EMBEDDED_PACKAGE, "@opentelemetry/api"]));
    expect(names.filter((name) => packages[`node_modules/${name}`]?.dev !== undefined)).toEqual([]);
    const own = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
      (name) => !name.includes("node_modules"),
    );
    expect(own.filter((name) => /(^|\/)\.env|\.test\.|\.map$|^data(\/|$)/.test(name))).toEqual([]);
  });

  test("runs as another user without writing to it, answers programs, pages and commands, and ends in order", async () => {
    const port = await findFreePort();
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: "production" as const,
      PORT: String(port),
      TMPDIR: temporary,
      SPOTLINE_DATA_DIR: data,
      SPOTLINE_STOP_DELAY_MS: "0",
      SPOTLINE_CONFIG: join(data, "spotline.config.ts"),
      // Its packages are in the image too.
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    };
    // It is read with esbuild, which the image must have.
    const settings = JSON.stringify(describeFewPrices());
    writeFileSync(
      env.SPOTLINE_CONFIG,
      `import { defineSpotline } from "spotline";\nexport default defineSpotline(${settings});`,
    );
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const run = (...args: string[]) =>
      spawn(process.execPath, [...SHORT_RUN_FLAGS, ...args], { cwd: app, env, ...user });
    const server = run("dist/server.mjs");
    let output = "";
    for (const stream of [server.stdout, server.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(server, "exit");
    const url = `http://127.0.0.1:${port}`;
    const status = async (path: string) => (await fetch(url + path).catch(() => null))?.status;
    try {
      const until = { timeout: 110_000, interval: 250 };
      await vi.waitFor(async () => {
        if (server.exitCode === null) expect(await status("/ready")).toBe(200);
      }, until);
      expect([server.exitCode, output]).toEqual([null, output]);
      await vi.waitFor(async () => expect(await status("/sign-in")).toBe(200), until);
      expect(await status("/v1/quote")).toBe(401);
      expect(await (await fetch(`${url}/docs/changelog`)).text()).toContain("Fields are added without a new version");
      expect((await fetch(`${url}/sign-in`)).headers.get("x-powered-by")).toBeNull();
      const probe = run("scripts/health-probe.mjs");
      expect(await once(probe, "exit")).toEqual([0, null]);
      const command = run("cli/launch.mjs", "account", "list", "--json");
      let listed = "";
      command.stdout.on("data", (chunk: Buffer) => (listed += chunk.toString()));
      expect(await once(command, "exit")).toEqual([0, null]);
      expect(JSON.parse(listed)).toBeDefined();
    } finally {
      server.kill("SIGTERM");
      await ended;
    }
    expect(await ended).toEqual([0, null]);
    expect(output).not.toMatch(/could not be loaded|EACCES|EROFS|Cannot find/);
  }, 300_000);
});

/** The names of packages, "@scope/name" too. */
function listPackages(folder: string): string[] {
  return readdirSync(folder).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : name,
  );
}
