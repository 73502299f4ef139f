"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

interface Fresh<Data> {
  /** Undefined until the first answer, where the page brought none. */
  readonly data: Data | undefined;
  /** Whether the last answers failed to come, so that `data` is older than it should be. */
  readonly isOffline: boolean;
}

/** Asks one of the page's own routes for JSON, again and again. `initial` is what the page was rendered with. */
export function useFresh<Data>(url: string, refreshMs: number, initial?: Data): Fresh<Data> {
  const router = useRouter();
  const { data, isError, failureCount } = useQuery<Data>({
    queryKey: [url],
    async queryFn({ signal }) {
      const answer = await fetch(url, { signal, cache: "no-store" });
      // The page checks the session itself, and sends whoever has none to sign in.
      if (answer.status === 401) router.refresh();
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as Data;
    },
    ...(initial === undefined ? {} : { initialData: initial }),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
    gcTime: 0,
    // Waiting for the network would leave the last answer looking new.
    networkMode: "always",
  });
  return { data, isOffline: isError || failureCount > 0 };
}
