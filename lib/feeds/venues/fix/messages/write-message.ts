import { BEGIN_STRING } from "@/lib/feeds/venues/fix/messages/tags";

export type FixField = readonly [tag: number, value: string | number];

/**
 * Returns a message's bytes: the fields, of which the first is MsgType, with BeginString, BodyLength and CheckSum around
 * them. Throws if a value is empty or has the byte that ends a field.
 */
export function writeMessage(fields: readonly FixField[]): Buffer {
  const body = fields.map(writeField).join("");
  const bytes = Buffer.from(`8=${BEGIN_STRING}\x019=${Buffer.byteLength(body)}\x01${body}10=000\x01`);
  const trailer = bytes.length - 7;
  let sum = 0;
  for (let at = 0; at < trailer; at++) sum += bytes[at] ?? 0;
  bytes.write(String(sum % 256).padStart(3, "0"), trailer + 3, "latin1");
  return bytes;
}

function writeField([tag, value]: FixField): string {
  const text = String(value);
  // The value itself may be a password.
  if (text === "" || text.includes("\x01")) throw new Error(`the value of the field ${tag} cannot be sent`);
  return `${tag}=${text}\x01`;
}
