import { randomBytes } from "node:crypto";
import type { Database } from "@/lib/platform/database/database";

/**
 * The secret that seals sessions and tickets. Created once per installation and stored in its database, so that sign-ins
 * survive a restart and every process uses the same one.
 */
export async function loadSessionSecret({ prisma }: Database): Promise<string> {
  const name = "session_secret";
  const existing = await prisma.setting.findUnique({ where: { name } });
  // Nothing is written, so that the commands work with a read-only database.
  if (existing !== null) return existing.value;
  const value = randomBytes(48).toString("base64url");
  // Of processes that start together one inserts, and all read the same row.
  await prisma.setting.createMany({ data: [{ name, value }], skipDuplicates: true });
  const { value: stored } = await prisma.setting.findUniqueOrThrow({ where: { name } });
  return stored;
}
