import { containsRange, type IpRange, parseAddress, parseRange } from "@/lib/access/ip-range";
import { formatCount } from "@/lib/text/number";

/** Warnings about a valid allow-list, one sentence each: very wide ranges, and ranges within others. */
export function listAllowListWarnings(cidrs: readonly string[]): string[] {
  const ranges = cidrs.flatMap((cidr) => {
    const range = parseRange(cidr);
    return "reason" in range ? [] : [{ cidr, range }];
  });
  const wide = ranges.flatMap(({ cidr, range }) => {
    if (range.prefix === 0) return [`${cidr} allows every IPv${range.family} address.`];
    return isVast(range) ? [`${cidr} is a very wide range: ${formatSize(range)}.`] : [];
  });
  const redundant = ranges.flatMap(({ cidr, range }) => {
    const outer = ranges.find((other) => other.cidr !== cidr && containsRange(other.range, range));
    return outer === undefined ? [] : [`${cidr} is within ${outer.cidr} already.`];
  });
  return [...wide, ...redundant];
}

/** The first range that contains an address, or null; undefined for an invalid address. */
export function findAdmittingRange(cidrs: readonly string[], address: string): string | null | undefined {
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

/** Wider than what one organisation usually has. */
function isVast({ family, prefix }: IpRange): boolean {
  return family === 4 ? prefix < 8 : prefix < 19;
}

function formatSize({ family, prefix }: IpRange): string {
  return family === 4 ? `${formatCount(2 ** (32 - prefix))} addresses` : `2^${128 - prefix} addresses`;
}
