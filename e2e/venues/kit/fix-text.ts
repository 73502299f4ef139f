import type { FixField, Message } from "@/e2e/venues/kit/messages";
import { readFixFields, readValue, SOH } from "@/e2e/venues/kit/messages";

/** One side of a FIX session: who sends to whom, and the number of the next message. */
export interface FixSession {
  sender: string;
  target: string;
  nextNumber: number;
}

export function createFixSession(): FixSession {
  return { sender: "VENUE", target: "CLIENT", nextNumber: 1 };
}

/** Takes the names of the session from the client's message. */
export function followClient(session: FixSession, message: Message): void {
  session.sender = String(readValue(message, "56") ?? session.sender);
  session.target = String(readValue(message, "49") ?? session.target);
}

/**
 * Completes `35=W|55=1|…` to a FIX 4.4 message: BeginString, BodyLength, CompIDs, MsgSeqNum, SendingTime and CheckSum are
 * added if the text does not have them, so a text with its own `9=` or `10=` sends a wrong one on purpose. A text's own
 * `34=` moves the numbering, except in a possible duplicate (`43=Y`). `timeMs` is UTC.
 */
export function completeFix(text: string, session: FixSession, timeMs: number): string {
  const given = readFixFields(text, "|");
  const read = (tag: string) => given.find((field) => field[0] === tag)?.[1];
  const number = read("34") ?? String(session.nextNumber);
  if (read("43") !== "Y") session.nextNumber = Number(number) + 1;
  const header: FixField[] = [
    ["35", read("35") ?? "0"],
    ["49", read("49") ?? session.sender],
    ["56", read("56") ?? session.target],
    ["34", number],
    ["52", read("52") ?? formatFixTime(timeMs)],
  ];
  const placed = new Set(["8", "9", "10", ...header.map(([tag]) => tag)]);
  const body = write([...header, ...given.filter(([tag]) => !placed.has(tag))]);
  const begin = write([
    ["8", read("8") ?? "FIX.4.4"],
    ["9", read("9") ?? String(Buffer.byteLength(body))],
  ]);
  return begin + body + write([["10", read("10") ?? computeChecksum(begin + body)]]);
}

const write = (fields: readonly FixField[]) => fields.map(([tag, value]) => `${tag}=${value}${SOH}`).join("");

/** The sum of all bytes before `10=`, modulo 256, in three digits. */
function computeChecksum(text: string): string {
  let sum = 0;
  for (const byte of Buffer.from(text)) sum += byte;
  return String(sum % 256).padStart(3, "0");
}

/** `20261122-00:50:00.000` */
export function formatFixTime(timeMs: number): string {
  const iso = new Date(timeMs).toISOString();
  return `${iso.slice(0, 10).replaceAll("-", "")}-${iso.slice(11, -1)}`;
}
