"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

/** Asks again every so often for what the page was rendered with; tells whether the last answers failed to come. */
export function useSpreads<Data>(url: string, initial: Data, refreshMs: number): { data: Data; isOffline: boolean } {
  const router = useRouter();
  const { data, isError, failureCount } = useQuery<Data>({
    queryKey: ["spreads", url],
    queryFn: async ({ signal }) => {
      const answer = await fetch(url, { signal, cache: "no-store" });
      // The page checks the session itself, and sends whoever has none to sign in.
      if (answer.status === 401) router.refresh();
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as Data;
    },
    initialData: initial,
    staleTime: refreshMs,
    refetchInterval: refreshMs,
    gcTime: 0,
    // Waiting for the network would leave the last answer looking new.
    networkMode: "always",
  });
  return { data: data ?? initial, isOffline: isError || failureCount > 0 };
}
