import * as z from "zod";

/** A batch of ticks that a MetaTrader 5 terminal pushes. Numbers may be text. */

const MAX_TICKS = 5_000;
const MAX_SYMBOLS = 2_000;
/** Seconds have fewer digits than milliseconds until the year 5138. */
const MAX_SECONDS = 1e11;

const spelling = z.string().min(1).max(64);
/** What is not a number becomes NaN, which the intake refuses and counts. */
const number = z.union([z.number(), z.string().max(40).transform(readNumber)]);
const moment = number
  .refine((value) => value > 0, "must be a time since 1970 in seconds or milliseconds")
  .transform((value) => (value < MAX_SECONDS ? value * 1000 : value));

export const tickPush = z.object({
  /** One run of the program in the terminal. */
  boot_id: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, dashes or underscores"),
  /** 1, 2, 3 … in each run. */
  seq: z.int().min(1),
  /** The UTC time of the terminal's computer when it sent the batch, and when it built it if that was earlier. */
  sent_gmt: moment,
  made_gmt: moment.optional(),
  broker: z.string().max(100).optional(),
  ticks: z.array(z.object({ s: spelling, b: number, a: number, t: number })).max(MAX_TICKS),
  symbols: z
    .array(z.object({ s: spelling, digits: number.optional(), point: number.optional() }))
    .max(MAX_SYMBOLS)
    .optional(),
});

export type TickPush = z.output<typeof tickPush>;

/** Reads a body as text. Terminals may send names of symbols in the code page of their Windows. */
export function decodePush(body: Uint8Array): string {
  const text = decodeUtf8(body) ?? new TextDecoder("windows-1252").decode(body);
  // MQL5 ends a text that it writes into an array with a zero byte.
  return text.replace(/\0+$/, "");
}

function decodeUtf8(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

function readNumber(text: string): number {
  return text.trim() === "" ? NaN : Number(text);
}
