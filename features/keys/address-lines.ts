import type { AddressReport } from "@/features/keys/types";
import { parseRangeLines } from "@/lib/access/allow-list";
import { findAdmittingRange, listAllowListWarnings, MAX_ADDRESSES } from "@/lib/access/keys/key-settings";

/** Longer than any valid allow-list. The rest of a longer text is ignored. */
const MAX_TEXT_LENGTH = 10_000;

/**
 * Reads an allow-list as it was typed. Blank lines are skipped, but counted in the line numbers of problems. `tried` is
 * an address to test against the list.
 */
export function readAddressLines(typed: string, tried = ""): AddressReport & { addresses: string[] } {
  const lines = typed
    .slice(0, MAX_TEXT_LENGTH)
    .split(/\r\n|\r|\n/)
    .map((text, index) => ({ text: text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== "");
  const addresses = lines.map(({ text }) => text);
  const { cidrs, problems: found } = parseRangeLines(addresses);
  const problems = found.map((problem) => ({ ...problem, line: lines[problem.line - 1]?.line ?? problem.line }));
  const verdict = tried.trim() === "" ? null : formatVerdict(cidrs, tried.trim().slice(0, 60));
  return { addresses, problems, warnings: listWarnings(addresses, cidrs), cidrs, verdict };
}

/** Comparing all lines with each other takes long for more lines than a key may have. */
function listWarnings(addresses: readonly string[], cidrs: readonly string[]): string[] {
  if (addresses.length <= MAX_ADDRESSES) return listAllowListWarnings(cidrs);
  return [`A key may have ${MAX_ADDRESSES} addresses and ranges at most; this list has ${addresses.length}.`];
}

function formatVerdict(cidrs: readonly string[], address: string): string {
  const range = findAdmittingRange(cidrs, address);
  if (range === undefined) return `“${address}” is not an address.`;
  if (cidrs.length === 0) return `${address} is allowed: the list is empty.`;
  return range === null ? `${address} is refused: no line includes it.` : `${address} is allowed by ${range}.`;
}
