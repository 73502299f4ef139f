import type { AddressProblem } from "@/components/keys/key-form-state";
import { parseRangeLines } from "@/lib/access/allow-list";

/** Longer than any list a key may have; what lies beyond is not worth reading. */
const MAX_TEXT_LENGTH = 10_000;

/** Reads an allow-list as it was typed: blank lines are skipped, but counted in the line numbers of the problems. */
export function readAddressLines(typed: string): { addresses: string[]; problems: AddressProblem[] } {
  const lines = typed
    .slice(0, MAX_TEXT_LENGTH)
    .split(/\r\n|\r|\n/)
    .map((text, index) => ({ text: text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== "");
  const addresses = lines.map(({ text }) => text);
  const problems = parseRangeLines(addresses).problems.map((problem) => ({
    ...problem,
    line: lines[problem.line - 1]?.line ?? problem.line,
  }));
  return { addresses, problems };
}
