import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Calendar programs can send no header, so the address they subscribe to has to carry what lets them in. That address
 * is stored by whoever fetches it and shows up in the logs of proxies: it must not hold the key. It holds a token that
 * is made of the key's id and opens the calendar feed alone, on the terms of that key, for as long as the key works.
 */
export interface FeedTokens {
  /** The token of a key: the same whenever it is asked for. */
  tokenOf(keyId: string): string;
  /** The key a token was made for; null for anything this installation has not made. */
  keyIdOf(token: string): string | null;
}

const PREFIX = "fxc_";
const PATTERN = /^fxc_([\w-]{22})[\w-]{22}$/;
/** 128 bits. */
const SIGNATURE_BYTES = 16;

/** @param secret the installation's; another one ends every feed */
export function createFeedTokens(secret: string): FeedTokens {
  // A key of its own, so that nothing signed for another purpose can ever pass for a token.
  const signingKey = createHmac("sha256", secret).update("calendar feed").digest();
  const sign = (id: Buffer) => createHmac("sha256", signingKey).update(id).digest().subarray(0, SIGNATURE_BYTES);
  const tokenOf = (keyId: string) => {
    const id = Buffer.from(keyId.replaceAll("-", ""), "hex");
    return PREFIX + id.toString("base64url") + sign(id).toString("base64url");
  };
  return {
    tokenOf,
    keyIdOf(token) {
      const idText = PATTERN.exec(token)?.[1];
      if (idText === undefined) return null;
      const hex = Buffer.from(idText, "base64url").toString("hex");
      const keyId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
      // As texts: the last character of each half has bits to spare, and only one spelling is ours.
      return timingSafeEqual(Buffer.from(tokenOf(keyId)), Buffer.from(token)) ? keyId : null;
    },
  };
}
