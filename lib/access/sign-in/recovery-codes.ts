import { createHash, randomBytes } from "node:crypto";

/**
 * Recovery codes: sixteen characters of Crockford's alphabet, which has no letters that look like digits. Eighty
 * random bits cannot be guessed, so one round of SHA-256 is enough to keep them by.
 */

const RECOVERY_CODES = 10;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 16;

/** Ten new codes as people see them, "8k2m-x0vd-9hq4-tz7c", and the hashes they are kept as. */
export function mintRecoveryCodes(): { code: string; codeHash: string }[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    // 256 is a multiple of 32: every character is as likely as any other.
    const code = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return { code: code.replace(/(.{4})(?=.)/g, "$1-"), codeHash: hashOf(code) };
  });
}

const hashOf = (code: string) => createHash("sha256").update(code).digest("hex");

/** The hash a code is kept as, however it was typed; null where it cannot be one. */
export function hashRecoveryCode(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, "").replace(/[il]/g, "1").replace(/o/g, "0");
  if (code.length !== LENGTH || [...code].some((character) => !ALPHABET.includes(character))) return null;
  return hashOf(code);
}
