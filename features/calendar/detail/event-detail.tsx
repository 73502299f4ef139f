"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { AlarmClock } from "lucide-react";
import { useMarketTime } from "@/components/shared/market-clock";
import { getButtonClass } from "@/components/ui/button";
import { Fact } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { ChoiceTabs } from "@/components/ui/tabs";
import { useFresh } from "@/components/ui/use-fresh";
import { FigureChart } from "@/features/calendar/detail/figure-chart";
import { MoveChart } from "@/features/calendar/detail/move-chart";
import { ReleaseTable } from "@/features/calendar/detail/release-table";
import type { EventDetail as Detail, PairMoves } from "@/features/calendar/detail/types";
import { EventReminder } from "@/features/calendar/reminders/reminder-settings";
import type { PageEvent } from "@/features/calendar/types";
import { MINUTE_MS } from "@/lib/time/units";

interface EventDetailProps {
  event: PageEvent;
  zone: string;
  /** Whether the plan includes released figures. */
  withActual: boolean;
  /** The symbol whose moves are shown; null for the first. */
  pair: string | null;
  onPair: (symbol: string) => void;
}

/** What an open row shows: the series of its event, its past figures, and what prices did around them. */
export function EventDetail(props: EventDetailProps) {
  const { id, actual } = props.event;
  const { data: detail, isError } = useQuery<Detail>({
    // A figure that arrives changes the series.
    queryKey: ["calendar-event", id, actual],
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      const answer = await fetch(`/calendar/event?${new URLSearchParams({ id })}`, { signal });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as Detail;
    },
  });
  if (isError) return <p className="text-dim">The details could not be loaded.</p>;
  if (detail === undefined) return <Skeleton className="h-48 w-full" />;
  return <Loaded {...props} detail={detail} />;
}

interface LoadedProps extends EventDetailProps {
  detail: Detail;
}

function Loaded({ event, detail, zone, withActual, pair, onPair }: LoadedProps) {
  const { releases, pairs } = detail;
  const symbol = pairs.find((each) => each === pair) ?? pairs[0] ?? null;
  const isComing = useMarketTime((nowMs) => Number(event.timeMs > nowMs)) === 1;
  const hasFigures = releases.some(({ value }) => value !== null);
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SeriesFacts detail={detail} zone={zone} />
        {isComing && (
          <div className="flex flex-wrap gap-2">
            {event.hasHour && <EventReminder id={event.id} timeMs={event.timeMs} />}
            <Link href={toAlertHref(event, withActual)} prefetch={false} className={getButtonClass("secondary", "sm")}>
              <AlarmClock aria-hidden size={14} />
              Alert…
            </Link>
          </div>
        )}
      </div>
      {detail.description !== null && <p className="max-w-3xl">{detail.description}</p>}
      {releases.length === 0 ? (
        <p className="text-dim">No earlier release of this series is on record.</p>
      ) : symbol === null ? (
        <>
          {hasFigures && <FigureChart releases={releases} />}
          <ReleaseTable releases={releases} moves={undefined} zone={zone} withActual={withActual} />
        </>
      ) : (
        <WithMoves
          event={event}
          symbol={symbol}
          detail={detail}
          zone={zone}
          withActual={withActual}
          hasFigures={hasFigures}
          onSymbol={onPair}
        />
      )}
    </div>
  );
}

/** The form of an alert on the figure of such events, or before them where the plan has no figures. */
function toAlertHref({ currency, title, impact, kind }: PageEvent, withActual: boolean): string {
  const alert = withActual && kind === "figure" ? "release" : "upcoming";
  return `/alerts?${new URLSearchParams({ kind: alert, currencies: currency, impacts: impact, search: title })}`;
}

interface WithMovesProps extends Omit<LoadedProps, "pair" | "onPair"> {
  symbol: string;
  hasFigures: boolean;
  onSymbol: (symbol: string) => void;
}

function WithMoves({ event: { id }, symbol, detail, zone, withActual, hasFigures, onSymbol }: WithMovesProps) {
  const { data: moves, isOffline } = useFresh<PairMoves>(
    `/calendar/moves?${new URLSearchParams({ id, symbol })}`,
    MINUTE_MS,
  );
  return (
    <>
      <div className="grid grid-cols-2 gap-x-10 gap-y-4 max-lg:grid-cols-1">
        {hasFigures && <FigureChart releases={detail.releases} />}
        <div className="grid content-start gap-2">
          <ChoiceTabs label="Pair" choices={detail.pairs} chosen={symbol} onChoose={onSymbol} phoneClassName="" />
          {moves !== undefined ? (
            <MoveChart {...moves} />
          ) : isOffline ? (
            <p className="text-dim">The prices could not be loaded. Trying again.</p>
          ) : (
            <Skeleton className="h-44 w-full" />
          )}
        </div>
      </div>
      <ReleaseTable releases={detail.releases} moves={moves} zone={zone} withActual={withActual} />
    </>
  );
}

function SeriesFacts({
  detail: { source, sourceUrl, frequency, next, releases },
  zone,
}: Pick<LoadedProps, "detail" | "zone">) {
  const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  const hour = next?.hasHour ? ({ hour: "2-digit", minute: "2-digit" } as const) : {};
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      <Fact name="Source">{source}</Fact>
      {sourceUrl !== null && (
        <Fact name="Publisher">
          <a href={sourceUrl} target="_blank" rel="noopener noreferrer" className="text-accent-ink underline">
            {new URL(sourceUrl).host.replace(/^www\./, "")}
          </a>
        </Fact>
      )}
      {frequency !== null && (
        <Fact name="Frequency">{`${frequency.charAt(0).toUpperCase()}${frequency.slice(1)}`}</Fact>
      )}
      <Fact name="Next release">
        {next === null ? (
          "Not scheduled yet"
        ) : (
          <time dateTime={new Date(next.timeMs).toISOString()} className="tabular-nums">
            {new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...day, ...hour }).format(next.timeMs)}
          </time>
        )}
      </Fact>
      {releases[0]?.surprise?.sigmas != null && (
        <Fact name="Last surprise">
          {releases[0].surprise.text}, {Math.abs(releases[0].surprise.sigmas).toFixed(1)} standard deviations of the{" "}
          {releases[0].surprise.n} earlier ones
        </Fact>
      )}
    </dl>
  );
}
