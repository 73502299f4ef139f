import type { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { FixReader } from "@/lib/feeds/venues/fix/messages/fix-reader";

/**
 * Completes `35=W|55=1|…` to the bytes of a message: BeginString, BodyLength and CheckSum are added unless the text has
 * its own. `|` ends a field.
 */
export function encode(text: string): Buffer {
  const fields = text.split("|").filter((field) => field !== "");
  const take = (tag: string) => fields.find((field) => field.startsWith(`${tag}=`));
  const [begin = "8=FIX.4.4", length, checksum] = [take("8"), take("9"), take("10")];
  const body = join(fields.filter((field) => ![begin, length, checksum].includes(field)));
  const head = join([begin, length ?? `9=${Buffer.byteLength(body)}`]);
  let sum = 0;
  for (const byte of Buffer.from(head + body)) sum += byte;
  return Buffer.from(head + body + join([checksum ?? `10=${String(sum % 256).padStart(3, "0")}`]));
}

const join = (fields: readonly string[]) => fields.map((field) => `${field}\x01`).join("");

/** Reads bytes in the given pieces. Returns each message as `35=W|55=1`, and how many were left out. */
export function decode(...pieces: readonly Buffer[]): { messages: string[]; garbled: number } {
  const reader = new FixReader();
  const messages: string[] = [];
  for (const piece of pieces) reader.read(piece, (message) => messages.push(format(message)));
  return { messages, garbled: reader.garbled };
}

/** `35=W|55=1` */
export function format(message: FixMessage): string {
  return Array.from({ length: message.count }, (_, at) => `${message.tagAt(at)}=${message.valueAt(at)}`).join("|");
}
