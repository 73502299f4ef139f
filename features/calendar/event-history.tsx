"use client";

import { useQuery } from "@tanstack/react-query";
import { SeriesChart } from "@/features/calendar/series-chart";
import type { SeriesPoint, SheetEvent } from "@/features/calendar/types";

/** What the series of an event has released so far. */
export function EventHistory({ event: { seriesId, stream } }: { event: SheetEvent }) {
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
      stream === "secondary" ? "The secondary stream tells schedules and forecasts only." : "It has no series.";
    return <p className="text-dim">{why}</p>;
  }
  if (isError) return <p className="text-dim">Its history could not be read.</p>;
  if (points === undefined) return <p className="text-dim">Reading its history…</p>;
  const drawn = points.filter(({ actual }) => actual !== null);
  if (drawn.length === 0) return <p className="text-dim">Nothing of this series has been released here yet.</p>;
  return <SeriesChart points={drawn} />;
}
