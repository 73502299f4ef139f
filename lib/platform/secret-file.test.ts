import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadSecretFile, readSecretFile, SECRET_FILE } from "@/lib/platform/secret-file";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "spotline-secret-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("The secret is created once, for its owner only", async () => {
  const dataDir = path.join(folder, "data");
  expect(await readSecretFile(dataDir)).toBeNull();
  const secrets = await Promise.all(Array.from({ length: 8 }, () => loadSecretFile(dataDir)));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]?.length).toBe(64);
  expect(await readSecretFile(dataDir)).toBe(secrets[0]);
  expect(await readdir(dataDir)).toEqual([SECRET_FILE]);
  expect((await stat(path.join(dataDir, SECRET_FILE))).mode & 0o777).toBe(0o600);
});

test("A folder that cannot hold the secret is named, with the settings that help", async () => {
  const file = path.join(folder, "file");
  await writeFile(file, "");
  for (const load of [loadSecretFile, readSecretFile]) {
    await expect(load(file)).rejects.toThrow(/^The data folder .*file cannot hold the secret.*NEXTAUTH_SECRET/);
  }
});
