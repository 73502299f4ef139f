import { BlockList, isIP } from "node:net";
import * as z from "zod";

/** Which reverse proxies may tell the address of a client. */
export interface TrustedProxies {
  /** How many proxies append an entry to X-Forwarded-For; 0 where `addresses` decides, or nothing is trusted. */
  readonly count: number;
  /** The addresses that proxies connect from. Null trusts every connection if `count` is above 0. */
  readonly addresses: BlockList | null;
  /** Receives what a trusted proxy sent in place of an address. */
  readonly onUnreadable?: (text: string) => void;
}

/** "10.0.0.0/8, 192.0.2.7": addresses and ranges; null for none. */
export const proxyAddressesSetting = z.string().transform((text, context): BlockList | null => {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix, ...more] = entry.split("/");
    const family = isIP(address);
    const maxPrefix = family === 4 ? 32 : 128;
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= maxPrefix);
    if (family === 0 || !isPrefix || more.length > 0) {
      const message = `must be addresses or ranges like 10.0.0.0/8; ${JSON.stringify(entry)} is not`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    list.addSubnet(address, Number(prefix ?? maxPrefix), family === 4 ? "ipv4" : "ipv6");
  }
  return entries.length === 0 ? null : list;
});

/** A network of more than 2^8 addresses has other machines than proxies. */
const MOST_BITS = 8;

/** The trusted ranges that are wider: "10.0.0.0/8". */
function listWide({ rules }: BlockList): string[] {
  return rules.flatMap((rule) => {
    const [, family, address, prefix] = /IPv([46]) (\S+)\/(\d+)$/.exec(rule) ?? [];
    return (family === "4" ? 32 : 128) - Number(prefix) > MOST_BITS ? `${address}/${prefix}` : [];
  });
}

/** Advice where others than proxies can state any address as the client's; null elsewhere. */
export function adviseOnProxies(
  { count, addresses }: TrustedProxies,
  { host }: { readonly host: string },
): string | null {
  const wide = addresses === null ? [] : listWide(addresses);
  if (wide.length > 0) {
    return (
      `SPOTLINE_TRUSTED_PROXY_ADDRESSES trusts all of ${wide.join(", ")}: every machine there can state any address as the ` +
      "client's, and so pass allow-lists. Name the addresses of the proxies alone"
    );
  }
  const isLocal = host === "localhost" || host === "::1" || host.startsWith("127.");
  if (count === 0 || addresses !== null || isLocal) return null;
  return (
    "SPOTLINE_TRUSTED_PROXIES believes X-Forwarded-For on every connection. Set SPOTLINE_TRUSTED_PROXY_ADDRESSES to the " +
    "addresses of the proxies, unless nobody else can reach the port"
  );
}
