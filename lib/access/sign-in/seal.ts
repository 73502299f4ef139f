import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Keeps short texts secret and unaltered (AES-256-GCM). The key is made of the installation's secret and of the
 * purpose, so that what was sealed for one purpose cannot be opened for another; under another secret nothing opens.
 */
export function createSeal(secret: string, purpose: string) {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `spotline ${purpose}`, 32));
  return {
    /** `owner` must be given again to open it: a sealed text moved to somebody else's row is worth nothing. */
    seal(text: string, owner = ""): string {
      const iv = randomBytes(IV_LENGTH);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },

    /** The text, or null where this secret, purpose or owner did not seal it. */
    open(sealed: string, owner = ""): string | null {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < IV_LENGTH + TAG_LENGTH) return null;
      const iv = bytes.subarray(0, IV_LENGTH);
      const tag = bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH);
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_LENGTH });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_LENGTH + TAG_LENGTH)), decipher.final()]);
        return text.toString("utf8");
      } catch {
        return null;
      }
    },
  };
}

const ALGORITHM = "aes-256-gcm";
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
