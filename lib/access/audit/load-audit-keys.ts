import { type AuditKey, deriveAuditKeys } from "@/lib/access/audit-key";
import type { Config } from "@/lib/platform/config";
import { readSecretFile } from "@/lib/platform/data-folder/secret-file";

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
