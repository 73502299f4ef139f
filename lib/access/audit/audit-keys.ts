import { hkdfSync } from "node:crypto";
import type { Config } from "@/lib/platform/config";
import { readSecretFile } from "@/lib/platform/secret-file";

/**
 * A key of the hashes of the audit log. It is derived from a secret that the database does not have, so who can write to
 * the database alone cannot make a hash.
 */
export interface AuditKey {
  /** 16 hexadecimal characters, stored with each event. They tell nothing about the secret. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

const KEY_BYTES = 32;
const ID_BYTES = 8;

export function deriveAuditKey(secret: string): AuditKey {
  const derived = Buffer.from(hkdfSync("sha256", secret, "", "spotline audit log", KEY_BYTES + ID_BYTES));
  return { bytes: derived.subarray(0, KEY_BYTES), id: derived.subarray(KEY_BYTES).toString("hex") };
}

/** The keys of several secrets by their ids. */
export function deriveAuditKeys(secrets: Iterable<string>): ReadonlyMap<string, AuditKey> {
  return new Map([...secrets].map(deriveAuditKey).map((key) => [key.id, key]));
}

/**
 * The keys with which events of the audit log are checked, by their ids: of the secret in use, of the earlier ones that
 * the settings name, and of the data folder's, which was in use if the setting was made later.
 */
export async function loadAuditKeys({
  dataDir,
  sessionSecret,
  previousSecrets,
}: Pick<Config, "dataDir" | "sessionSecret" | "previousSecrets">): Promise<ReadonlyMap<string, AuditKey>> {
  const secrets = [sessionSecret, await readSecretFile(dataDir), ...previousSecrets];
  return deriveAuditKeys(secrets.filter((secret) => typeof secret === "string"));
}
