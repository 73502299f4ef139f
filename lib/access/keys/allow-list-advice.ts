import { containsRange, type IpRange, parseAddress, parseRange } from "@/lib/access/ip-range";
import { formatCount } from "@/lib/text/number";

/** What an owner should know of an allow-list that is valid as it stands. */

/** Warnings, a sentence each: of ranges that let nearly everybody in, and of lines that others make needless. */
export function adviseOn(cidrs: readonly string[]): string[] {
  const ranges = cidrs.flatMap((cidr) => {
    const range = parseRange(cidr);
    return "reason" in range ? [] : [{ cidr, range }];
  });
  const wide = ranges.flatMap(({ cidr, range }) => {
    if (range.prefix === 0) return [`${cidr} lets every IPv${range.family} address in.`];
    return isVast(range) ? [`${cidr} is a very wide range: ${countOf(range)}.`] : [];
  });
  const needless = ranges.flatMap(({ cidr, range }) => {
    const around = ranges.find((other) => other.cidr !== cidr && containsRange(other.range, range));
    return around === undefined ? [] : [`${cidr} is within ${around.cidr} already.`];
  });
  return [...wide, ...needless];
}

/** The first range that lets an address in, or null when none does; undefined when it is not an address. */
export function admittingRange(cidrs: readonly string[], address: string): string | null | undefined {
  const parsed = parseAddress(address.trim());
  if (parsed === null) return undefined;
  const single: IpRange = { ...parsed, prefix: parsed.bytes.length * 8 };
  return (
    cidrs.find((cidr) => {
      const range = parseRange(cidr);
      return !("reason" in range) && containsRange(range, single);
    }) ?? null
  );
}

/** Wider than what one organisation is likely to hold. */
function isVast({ family, prefix }: IpRange): boolean {
  return family === 4 ? prefix < 8 : prefix < 19;
}

function countOf({ family, prefix }: IpRange): string {
  return family === 4 ? `${formatCount(2 ** (32 - prefix))} addresses` : `2^${128 - prefix} addresses`;
}
