"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { DEFAULT_ZONE, getDeviceZone, parseZoneCookie, storeZone, ZONE_COOKIE } from "@/components/shared/zone";

/** Registers the worker that shows a page while the network is down. Browsers allow it on HTTPS and on localhost only. */
export function OfflineWorker() {
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
    // Without the HTTP cache, the browser finds a new worker with the next page.
    navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {
      // A browser may forbid it, such as in a private window. Then it shows its own page.
    });
  }, []);
  return null;
}

/** Provides one cache per visit. On the server, visitors must not share a cache. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { refetchOnWindowFocus: false } } }));
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

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
