"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { DEFAULT_ZONE, getDeviceZone, parseZoneCookie, storeZone, ZONE_COOKIE } from "@/components/shared/zone";

/**
 * Stores the device's time zone for the server, unless the visitor chose one. The page for signing in does so already, so
 * that only a page opened without any cookie is rendered twice.
 */
export function ZoneKeeper() {
  const router = useRouter();
  useEffect(() => {
    // In a task of its own: the first look at a time zone makes the browser load its data, which takes long on a phone.
    const timer = setTimeout(() => {
      if (keepZone()) router.refresh();
    });
    return () => clearTimeout(timer);
  }, [router]);
  return null;
}

/** Stores the device's zone. Returns whether the page was rendered in another one. */
function keepZone(): boolean {
  const pair = document.cookie.split("; ").find((each) => each.startsWith(`${ZONE_COOKIE}=`));
  const stored = parseZoneCookie(decodeURIComponent(pair?.slice(ZONE_COOKIE.length + 1) ?? ""));
  const own = getDeviceZone();
  if (stored !== null && (!stored.isOwn || stored.zone === own)) return false;
  storeZone(own);
  return (stored?.zone ?? DEFAULT_ZONE) !== own;
}
