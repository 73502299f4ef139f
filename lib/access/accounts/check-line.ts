import { AccessError } from "@/lib/access/access-error";

/** The most characters of a reason or a message. */
export const MAX_LINE_LENGTH = 200;

const NAMES = { invalid_reason: "a reason", invalid_message: "a message" } as const;

/** Trims a line of text; null if it is empty. Rejects line breaks and what cannot be seen with this code. */
export function checkLine(text: string, code: keyof typeof NAMES): string | null {
  const line = text.trim();
  if ([...line].length > MAX_LINE_LENGTH || /[\p{C}\p{Zl}\p{Zp}]/u.test(line)) {
    throw new AccessError(code, `Give ${NAMES[code]} of at most ${MAX_LINE_LENGTH} visible characters.`);
  }
  return line === "" ? null : line;
}
