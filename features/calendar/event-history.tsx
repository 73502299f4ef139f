"use client";

import { useQuery } from "@tanstack/react-query";
import { SeriesChart } from "@/features/calendar/series-chart";
import type { PageEvent, SeriesPoint } from "@/features/calendar/types";

/** The released figures of an event's series. */
export function EventHistory({ event: { seriesId, stream } }: { event: PageEvent }) {
  const { data: points, isError } = useQuery({
    queryKey: ["calendar-series", seriesId],
    enabled: seriesId !== null,
    async queryFn({ signal }): Promise<SeriesPoint[]> {
      const answer = await fetch(`/calendar/series?${new URLSearchParams({ id: seriesId ?? "" })}`, { signal });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return ((await answer.json()) as { points: SeriesPoint[] }).points;
    },
  });
  if (seriesId === null) {
    const why =
      stream === "secondary"
        ? "Events of the secondary stream have no released figures."
        : "This event has no history.";
    return <p className="text-dim">{why}</p>;
  }
  if (isError) return <p className="text-dim">The history could not be loaded.</p>;
  if (points === undefined) return <p className="text-dim">Loading the history…</p>;
  const drawn = points.filter(({ actual }) => actual !== null);
  if (drawn.length === 0) return <p className="text-dim">No figure of this series has been released yet.</p>;
  return <SeriesChart points={drawn} />;
}
