"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useShownAt } from "@/components/ui/past";
import { isStillPast, withAt } from "@/components/ui/past-address";

interface Fresh<Data> {
  /** Undefined until the first answer, unless the page was rendered with data. */
  readonly data: Data | undefined;
  /** Whether the last requests failed, so that `data` is older than it should be. */
  readonly isOffline: boolean;
}

/**
 * Polls a data route of the page, for the second that the page shows: every so many milliseconds, or after as many as follow
 * from the last answer. `initial` is the data of the rendered page.
 */
export function useFresh<Data>(
  url: string,
  refreshMs: number | ((data: Data | undefined) => number),
  initial?: Data,
): Fresh<Data> {
  const router = useRouter();
  const at = useShownAt();
  const { data, isError, failureCount } = useQuery<Data, Error, Data, readonly [string, string | null]>({
    queryKey: [url, at],
    async queryFn({ signal }) {
      const answer = await fetch(withAt(url, at), { signal, cache: "no-store" });
      // The page checks the session itself and redirects to sign in.
      if (answer.status === 401) router.refresh();
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as Data;
    },
    ...(initial === undefined ? {} : { initialData: initial }),
    // The next second replaces the one before without a flicker.
    placeholderData: (before, query) =>
      query?.queryKey[0] === url && isStillPast(query.queryKey[1], at) ? before : undefined,
    staleTime: typeof refreshMs === "number" ? refreshMs : 0,
    refetchInterval: typeof refreshMs === "number" ? refreshMs : ({ state }) => refreshMs(state.data),
    gcTime: 0,
    // Otherwise React Query pauses while offline and reports no error.
    networkMode: "always",
  });
  return { data, isOffline: isError || failureCount > 0 };
}

/** Chooses between the last poll and the rendered page, which has newer data after an action. */
export function pickNewer<Data extends { readonly nowMs: number }>(polled: Data | undefined, rendered: Data): Data {
  return polled !== undefined && polled.nowMs > rendered.nowMs ? polled : rendered;
}
