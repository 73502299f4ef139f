/** How a receiver of webhooks verifies a message, as the guide shows it. A test runs both. */

export const VERIFY_TYPESCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

/** \`body\` is the text as it arrived, before it is parsed. \`headers\` have lower-case names. */
export function verify(secret: string, headers: Record<string, string>, body: string): boolean {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return (headers["webhook-signature"] ?? "").split(" ").some((each) => {
    const [version, signature = ""] = each.split(",");
    const given = Buffer.from(signature, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

export const VERIFY_PYTHON = `import base64, hashlib, hmac, time

def verify(secret, headers, body):
    """body is the text as it arrived, before it is parsed. headers have lower-case names."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.{body}".encode()
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(
        hmac.compare_digest(each, "v1," + expected)
        for each in headers.get("webhook-signature", "").split(" ")
    )`;
