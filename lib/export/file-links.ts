import { createHmac, timingSafeEqual } from "node:crypto";
import { SECOND_MS } from "@/lib/time/units";

/**
 * Signed links to the files of exports, for programs that cannot send a header, such as DuckDB. The token in the query
 * names the export and the end of the link, and signs both with the name of the file.
 */

const PREFIX = "fxe_";
/** 16 of the id, 4 of the end in Unix time. */
const CONTENT_BYTES = 20;
/** 128 bits. */
const SIGNATURE_BYTES = 16;
const TOKEN = new RegExp(`^${PREFIX}([\\w-]{${((CONTENT_BYTES + SIGNATURE_BYTES) * 4) / 3}})$`);

export type FileLinks = ReturnType<typeof createFileLinks>;

/** @param secret the installation's; a new one invalidates every link */
export function createFileLinks(secret: string) {
  // A signing key of its own, so that nothing signed for another purpose can be a token.
  const signingKey = createHmac("sha256", secret).update("export file").digest();
  const sign = (content: Buffer, name: string) =>
    createHmac("sha256", signingKey).update(content).update(name).digest().subarray(0, SIGNATURE_BYTES);
  return {
    /** @param endMs when the link ends: UTC milliseconds */
    createToken(id: string, name: string, endMs: number): string {
      const content = Buffer.alloc(CONTENT_BYTES);
      content.write(id.replaceAll("-", ""), 0, "hex");
      content.writeUInt32BE(Math.floor(endMs / SECOND_MS), CONTENT_BYTES - 4);
      return PREFIX + Buffer.concat([content, sign(content, name)]).toString("base64url");
    },

    /** The export and the end of a token; null if this installation did not issue it for a file of this name. */
    readToken(token: string, name: string): { readonly id: string; readonly endMs: number } | null {
      const text = TOKEN.exec(token)?.[1];
      if (text === undefined) return null;
      const bytes = Buffer.from(text, "base64url");
      const content = bytes.subarray(0, CONTENT_BYTES);
      if (!timingSafeEqual(bytes.subarray(CONTENT_BYTES), sign(content, name))) return null;
      const id = content.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
      return { id, endMs: content.readUInt32BE(CONTENT_BYTES - 4) * SECOND_MS };
    },
  };
}
