"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

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
