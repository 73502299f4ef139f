"use client";

import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { Link } from "@/components/ui/link";
import { MINUTE_MS } from "@/lib/time/units";

const REFRESH_MS = MINUTE_MS;

/**
 * A link to the notices with the number of new ones, fetched every minute because the frame stays when the page
 * changes.
 */
export function NoticeBell({ initial }: { initial: number }) {
  const { data: count } = useQuery<number>({
    queryKey: ["notices", initial],
    queryFn: async ({ signal }) => {
      const answer = await fetch("/notices/count", { signal, cache: "no-store" });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return ((await answer.json()) as { count: number }).count;
    },
    initialData: initial,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  const shown = count > 9 ? "9+" : String(count);
  return (
    <Link
      href="/notices"
      aria-label={count === 0 ? "Notices" : `Notices, ${shown} new`}
      className="relative grid size-9 place-items-center rounded-md text-dim hover:bg-hover hover:text-ink max-md:size-10"
    >
      <Bell aria-hidden size={17} strokeWidth={1.75} />
      {count > 0 && (
        <span
          aria-hidden
          translate="no"
          className="absolute top-0.5 right-px min-w-4 rounded-lg bg-accent px-[0.1875rem] text-center text-xs11/4 text-on-accent tabular-nums"
        >
          {shown}
        </span>
      )}
    </Link>
  );
}
