import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { claimDataFolder } from "./data-folder";
import { loadEngine, upgradeDataFolder } from "./upgrade";

/** The copy itself is tested with the engine of 0.2.0, by upgrade.nightly.test.ts. */

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), "spotline-upgrade-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const refusal = (message: string | RegExp) => ({
  code: "UPGRADE_REFUSED",
  message: typeof message === "string" ? message : (expect.stringMatching(message) as string),
});

describe("the upgrade of a data folder is refused, and changes nothing,", () => {
  const upgrade = (dataDir: string, options: { databaseUrl?: string; engine?: string } = {}) =>
    upgradeDataFolder({
      dataDir,
      databaseUrl: options.databaseUrl,
      engine: options.engine,
      onProgress: () => {},
    });

  /** A data folder with these folders of databases. */
  async function createFolder(...databases: string[]): Promise<string> {
    const dataDir = await mkdtemp(path.join(folder, "data-"));
    for (const name of databases) {
      await mkdir(path.join(dataDir, name));
      await writeFile(path.join(dataDir, name, "PG_VERSION"), "18\n");
    }
    return dataDir;
  }
  const list = async (dataDir: string) => (await readdir(dataDir)).filter((name) => !name.startsWith("lock."));

  test("when the data is in a PostgreSQL of one's own", async () => {
    const dataDir = await createFolder("postgres");
    await expect(upgrade(dataDir, { databaseUrl: "postgres://127.0.0.1/spotline" })).rejects.toMatchObject(
      refusal("The data is in your own PostgreSQL, which the server migrates when it starts."),
    );
  });

  test("when there is no database of an earlier version", async () => {
    const empty = await createFolder();
    const message = (dataDir: string) => `The data folder ${dataDir} has no database of an earlier version.`;
    await expect(upgrade(empty)).rejects.toMatchObject(refusal(message(empty)));
    const missing = path.join(folder, "missing");
    await expect(upgrade(missing)).rejects.toMatchObject(refusal(message(missing)));
    expect([await readdir(empty), await readdir(folder)]).toEqual([[], expect.not.arrayContaining(["missing"])]);
  });

  test("when it is upgraded already", async () => {
    const dataDir = await createFolder("postgres", "pg18");
    await expect(upgrade(dataDir)).rejects.toMatchObject(refusal(`The data folder ${dataDir} is upgraded already.`));
  });

  test("while a server runs on it", async () => {
    const dataDir = await createFolder("postgres");
    const server = await claimDataFolder(dataDir, "server");
    await expect(upgrade(dataDir)).rejects.toMatchObject({ code: "DATA_FOLDER_IN_USE" });
    await server.release();
    expect(await list(dataDir)).toEqual(["postgres"]);
  });

  test("when the engine is not found, and another run may follow", async () => {
    const dataDir = await createFolder("postgres");
    for (const engine of [path.join(folder, "missing.tgz"), folder]) {
      await expect(upgrade(dataDir, { engine })).rejects.toMatchObject({ code: "UPGRADE_REFUSED" });
    }
    expect(await list(dataDir)).toEqual(["postgres"]);
  });
});

describe("the engine of 0.2.0", () => {
  const load = async (given?: string) => loadEngine(given, await mkdtemp(path.join(folder, "engine-")));

  test("is refused when its file is another one, or missing", async () => {
    const file = path.join(folder, "pglite.tgz");
    await writeFile(file, "another package");
    const sentence = `${file} is not the package @electric-sql/pglite@0.5.14: its checksum differs.`;
    await expect(load(file)).rejects.toMatchObject(refusal(sentence));
    const missing = path.join(folder, "missing.tgz");
    await expect(load(missing)).rejects.toMatchObject(refusal(`There is no file ${missing}.`));
  });

  test("is refused when the given folder has none, or another version of it", async () => {
    const installation = await mkdtemp(path.join(folder, "installation-"));
    const sentence = `${installation} has no @electric-sql/pglite@0.5.14 among its packages: name the folder where 0.2.0 is installed.`;
    await expect(load(installation)).rejects.toMatchObject(refusal(sentence));
    const engine = path.join(installation, "node_modules", "@electric-sql", "pglite");
    await mkdir(engine, { recursive: true });
    await writeFile(path.join(engine, "package.json"), JSON.stringify({ version: "0.5.13" }));
    await expect(load(installation)).rejects.toMatchObject(refusal(sentence));
  });

  test("is asked for with both ways to name it when it cannot be fetched", async () => {
    vi.stubEnv("npm_config_registry", "http://127.0.0.1:9");
    vi.stubEnv("npm_config_fetch_retries", "0");
    await expect(load()).rejects.toMatchObject(
      refusal(
        /^The engine of 0\.2\.0 could not be fetched \(.*127\.0\.0\.1:9.*\)\. Without a network, name the folder where 0\.2\.0 is installed with --engine, or the file that “npm pack @electric-sql\/pglite@0\.5\.14” writes on another machine\.$/,
      ),
    );
    vi.unstubAllEnvs();
  });
});
