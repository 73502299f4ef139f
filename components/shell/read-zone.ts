import { cookies } from "next/headers";
import { DEFAULT_ZONE, parseZoneCookie, ZONE_COOKIE } from "@/components/shared/zone";

/** Reads the time zone of all pages in this browser from its cookie; UTC until the first page has stored one. */
export async function readZone(): Promise<string> {
  return parseZoneCookie((await cookies()).get(ZONE_COOKIE)?.value)?.zone ?? DEFAULT_ZONE;
}
