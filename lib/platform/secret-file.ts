import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";

/** The file of a data folder with a secret that the database does not have, readable by its owner only. */
export const SECRET_FILE = "secret";

class SecretUnusable extends Error {
  readonly code = "SECRET_UNUSABLE";
  constructor(dataDir: string, cause: unknown) {
    const why = (cause as Error).message;
    super(
      `The data folder ${dataDir} cannot hold the secret of this installation: ${why}. Set NEXTAUTH_SECRET, or SPOTLINE_DATA_DIR to another folder.`,
      { cause },
    );
    this.name = "SecretUnusable";
  }
}

/** Reads the secret of a data folder; null if there is none yet. */
export async function readSecretFile(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(path.join(dataDir, SECRET_FILE), "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw new SecretUnusable(dataDir, error);
  }
}

/** The same, but creates a secret if there is none. Processes that create one together get the same. */
export async function loadSecretFile(dataDir: string): Promise<string> {
  const existing = await readSecretFile(dataDir);
  if (existing !== null) return existing;
  const draft = path.join(dataDir, `.secret-${randomUUID()}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await write(draft, `${randomBytes(48).toString("base64url")}\n`);
    // Unlike renaming, linking fails if another process was faster, and never shows an incomplete file.
    await link(draft, path.join(dataDir, SECRET_FILE)).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
  } catch (error) {
    throw new SecretUnusable(dataDir, error);
  } finally {
    await rm(draft, { force: true });
  }
  return loadSecretFile(dataDir);
}

async function write(name: string, text: string): Promise<void> {
  const file = await open(name, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;
