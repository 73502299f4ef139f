import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts and authenticates short texts (AES-256-GCM). */
export interface Seal {
  /** `owner` is authenticated too: a sealed text copied to another owner's row does not open. */
  seal(text: string, owner?: string): string;
  /** The text, or null if it was sealed with another secret, purpose or owner. */
  open(sealed: string, owner?: string): string | null;
}

const ALGORITHM = "aes-256-gcm";
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/** The key is derived from the installation's secret and the purpose, so a text of one purpose cannot serve another. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `spotline ${purpose}`, 32));
  return {
    seal(text, owner = "") {
      const iv = randomBytes(IV_LENGTH);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },

    open(sealed, owner = "") {
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
