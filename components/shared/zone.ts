import { storeCookie } from "@/components/ui/cookie";
import { isZone } from "@/lib/time/zone-offset";

/**
 * The time zone of all pages, in one cookie: the name of a chosen zone, or "own:" and the zone of the device. The server
 * reads it, so that a page has the right times from its first byte.
 */
export const ZONE_COOKIE = "spotline-zone";
export const DEFAULT_ZONE = "UTC";

const OWN = "own:";

interface ZoneSetting {
  /** IANA name. */
  readonly zone: string;
  /** Whether the zone follows the device. */
  readonly isOwn: boolean;
}

/** Reads the value of the cookie; null without a valid one. */
export function parseZoneCookie(value: string | undefined): ZoneSetting | null {
  const isOwn = value?.startsWith(OWN) ?? false;
  const zone = isOwn ? value?.slice(OWN.length) : value;
  return zone !== undefined && zone !== "" && isZone(zone) ? { zone, isOwn } : null;
}

/** Returns the time zone of this device. Only for browsers. */
export function getDeviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Stores the zone of all pages in this browser. The device's own zone is stored as such, and follows it. */
export function storeZone(zone: string): void {
  storeCookie(ZONE_COOKIE, zone === getDeviceZone() ? `${OWN}${zone}` : zone);
}
