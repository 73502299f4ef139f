import { hash } from "node:crypto";

/** SHA-256 in hex, for storing random secrets. Enough because at least 80 random bits cannot be searched. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}
