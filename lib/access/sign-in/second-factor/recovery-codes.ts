import { randomBytes } from "node:crypto";
import { hashSecret } from "@/lib/access/secret";
import type { Prisma } from "@/prisma/generated/client";

/** Recovery codes: sixteen characters (80 random bits) of Crockford's alphabet, without letters that look like digits. */

const COUNT = 10;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 16;

/** Ten new codes as people see them, "8k2m-x0vd-9hq4-tz7c", with the hashes to store. */
export function mintRecoveryCodes(): { code: string; codeHash: string }[] {
  return Array.from({ length: COUNT }, () => {
    // 256 is a multiple of 32, so every character is equally likely.
    const code = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return { code: code.replace(/(.{4})(?=.)/g, "$1-"), codeHash: hashSecret(code) };
  });
}

/** The stored hash of a code, however it was typed; null if the text cannot be a code. */
export function hashRecoveryCode(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, "").replace(/[il]/g, "1").replace(/o/g, "0");
  if (code.length !== LENGTH || [...code].some((character) => !ALPHABET.includes(character))) return null;
  return hashSecret(code);
}

/** Replaces the account's recovery codes and resolves with the new ones. */
export async function replaceRecoveryCodes(
  transaction: Prisma.TransactionClient,
  accountId: string,
): Promise<string[]> {
  const codes = mintRecoveryCodes();
  await transaction.recoveryCode.deleteMany({ where: { accountId } });
  await transaction.recoveryCode.createMany({ data: codes.map(({ codeHash }) => ({ accountId, codeHash })) });
  return codes.map(({ code }) => code);
}
