import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Tokens for programs that cannot send headers, so the URL must authenticate them. URLs are stored and logged by others,
 * so they must not hold the key: a token is the signed id of a key, or of a link of one, and allows less than the key.
 */
export interface SignedIds {
  /** The token of an id; always the same. */
  createToken(id: string): string;
  /** The id, or null if this installation did not issue the token for this purpose. */
  readId(token: string): string | null;
}

interface Purpose {
  readonly purpose: string;
  /** Four characters that begin every token. */
  readonly prefix: string;
}

export const FEED_TOKENS: Purpose = { purpose: "calendar feed", prefix: "fxc_" };
export const LINK_TOKENS: Purpose = { purpose: "link", prefix: "fxl_" };

/** 128 bits. */
const SIGNATURE_BYTES = 16;

/** @param secret the installation's; a new one invalidates every token */
export function createSignedIds(secret: string, { purpose, prefix }: Purpose): SignedIds {
  const pattern = new RegExp(`^${prefix}([\\w-]{22})[\\w-]{22}$`);
  // A signing key of its own, so that nothing signed for another purpose can be a token.
  const signingKey = createHmac("sha256", secret).update(purpose).digest();
  const sign = (id: Buffer) => createHmac("sha256", signingKey).update(id).digest().subarray(0, SIGNATURE_BYTES);
  const createToken = (id: string) => {
    const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
    return prefix + bytes.toString("base64url") + sign(bytes).toString("base64url");
  };
  return {
    createToken,
    readId(token) {
      const idText = pattern.exec(token)?.[1];
      if (idText === undefined) return null;
      const hex = Buffer.from(idText, "base64url").toString("hex");
      const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
      // Compared as texts, because the last character of each half has unused bits.
      return timingSafeEqual(Buffer.from(createToken(id)), Buffer.from(token)) ? id : null;
    },
  };
}
