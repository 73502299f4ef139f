"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useMarketClock, useMarketTime } from "@/components/shared/market-clock";
import { useZone } from "@/components/shared/zone-context";
import { Figure } from "@/components/ui/figure";
import { useShownAt } from "@/components/ui/past";
import { isStillPast, withAt } from "@/components/ui/past-address";
import { useFresh } from "@/components/ui/use-fresh";
import type { NextRelease, Reaction } from "@/features/symbols/read-releases";
import type { Scene } from "@/features/symbols/scene";
import type { ChartEvent, SymbolInstrument, WireBar } from "@/features/symbols/types";
import { IMPACTS } from "@/lib/calendar/event";
import { formatSigmas } from "@/lib/calendar/figure";
import { AROUND_MINUTES, AROUND_MS, formatMove, LEAST_REACHES } from "@/lib/calendar/measure-move";
import { MARK_LEAD_MS } from "@/lib/calendar/news-window";
import { formatCountdown } from "@/lib/time/duration";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface NextReleasesProps {
  instrument: SymbolInstrument;
  scene: Scene | null;
  getNewest: () => WireBar | undefined;
}

/** The releases of high impact of the next hour and of the last half hour, and their usual ranges on the chart. */
export function NextReleases({ instrument, scene, getNewest }: NextReleasesProps) {
  const clock = useMarketClock();
  const { data } = useFresh<readonly NextRelease[]>(`/symbols/${instrument.symbol}/releases`, (known) =>
    getWait(known ?? [], clock.now()),
  );
  // Renders again when a release comes near, happens or is over.
  const phases = useMarketTime((nowMs) =>
    (data ?? [])
      .filter(({ timeMs }) => timeMs - nowMs <= MARK_LEAD_MS && nowMs < timeMs + AROUND_MS)
      .map(({ timeMs }) => `${timeMs}${timeMs <= nowMs ? "!" : ""}`)
      .join(),
  );
  useUsualRanges({ scene, releases: data, phases, instrument, getNewest });
  const near = (data ?? []).filter(({ timeMs }) => phases.includes(String(timeMs)));
  return near.map((release) => <NextReleaseLine key={release.timeMs} release={release} />);
}

/** The price before a release is known once it has happened. */
function getWait(releases: readonly NextRelease[], nowMs: number): number {
  const waits = releases.flatMap(({ timeMs, reference }) =>
    reference === null && nowMs < timeMs + MINUTE_MS ? Math.max(2 * SECOND_MS, timeMs + SECOND_MS - nowMs) : [],
  );
  return Math.min(MINUTE_MS, ...waits);
}

interface UsualRangesInput extends NextReleasesProps {
  releases: readonly NextRelease[] | undefined;
  /** The moments of the releases that are near, with "!" once they have happened. */
  phases: string;
}

function useUsualRanges({ scene, releases, phases, instrument: { pipSize }, getNewest }: UsualRangesInput): void {
  useEffect(() => {
    if (scene === null) return;
    const near = phases.split(",");
    const ranges = (releases ?? []).flatMap(({ timeMs, usual, reference }) => {
      const hasHappened = near.includes(`${timeMs}!`);
      if (usual.pips === null || !(hasHappened || near.includes(String(timeMs)))) return [];
      const centre = hasHappened ? (reference ?? getNewest()?.[4] ?? null) : null;
      const label = `±${usual.pips.toFixed(1)} pips`;
      return { fromMs: timeMs, untilMs: timeMs + AROUND_MS, reach: usual.pips * pipSize, centre, label };
    });
    scene.marks.setRanges(ranges);
    return () => {
      if (!scene.removed.aborted) scene.marks.setRanges([]);
    };
  }, [scene, releases, phases, pipSize, getNewest]);
}

/** "USD CPI (Oct) and 2 more in 12:34, usual ±23.4 pips in 30 min, median of 12". */
function NextReleaseLine({ release: { timeMs, events, usual } }: { release: NextRelease }) {
  const [first] = events;
  const isAhead = useMarketTime((nowMs) => Number(timeMs > nowMs)) === 1;
  const distance = useMarketTime((nowMs) => formatCountdown(Math.abs(timeMs - nowMs)));
  if (first === undefined) return null;
  return (
    <p data-next-release className="flex flex-wrap gap-x-1.5">
      <span className="inline-flex gap-x-1.5 rounded-sm border border-down px-1 font-medium text-down">
        <span>
          <Figure>{first.currency}</Figure> {first.title}
          {events.length > 1 && ` and ${events.length - 1} more`}
        </span>
        <span className="whitespace-nowrap">
          {isAhead && "in "}
          <Figure role="timer" aria-label={isAhead ? "Time to the release" : "Time since the release"}>
            {distance}
          </Figure>
          {!isAhead && " ago"}
        </span>
      </span>
      <span className="text-dim">
        {usual.pips === null ? (
          <>
            usual range needs {LEAST_REACHES} past releases, has <Figure>{usual.n}</Figure>
          </>
        ) : (
          <>
            usual <Figure className="text-ink">±{usual.pips.toFixed(1)}</Figure> pips in {AROUND_MINUTES} min, median of{" "}
            <Figure>{usual.n}</Figure>
          </>
        )}
      </span>
    </p>
  );
}

export const IMPACT_COLOURS = { high: "bg-down", medium: "bg-warn", low: "bg-faint" } as const;
/** A bar of a day or a week has more than a reader of its prices wants to know. */
const MOST_EVENTS = 5;

interface PointedEventsProps {
  symbol: string;
  /** The events of the pointed bar, at least one. */
  events: readonly ChartEvent[];
}

/** The events of the bar under the crosshair, and what the released ones did to the symbol. */
export function PointedEvents({ symbol, events }: PointedEventsProps) {
  const clock = useMarketClock();
  const shown = [...events]
    .sort((a, b) => IMPACTS.indexOf(a.impact) - IMPACTS.indexOf(b.impact))
    .slice(0, MOST_EVENTS)
    .sort((a, b) => a.timeMs - b.timeMs);
  const released = shown.filter(({ timeMs }) => timeMs <= clock.now());
  const reactions = useReactions(symbol, released);
  const groups = [...new Set(shown.map(({ timeMs }) => timeMs))].map((timeMs) => {
    const ofMoment = shown.filter((event) => event.timeMs === timeMs);
    return { timeMs, events: ofMoment, isReleased: released.some((event) => event.timeMs === timeMs) };
  });
  const byId = new Map(reactions.data?.map((reaction) => [reaction.id, reaction]));
  return (
    <div className="grid w-fit gap-1.5 rounded-sm border border-line bg-raised px-1.5 py-1 text-ink">
      {groups.map((group) => (
        <div key={group.timeMs} className="grid gap-0.5">
          {group.events.map((event) => (
            <EventLine key={event.id} event={event} surprise={byId.get(event.id)?.surprise ?? null} />
          ))}
          {group.isReleased && (
            <ReactionTable
              symbol={symbol}
              move={group.events.map(({ id }) => byId.get(id)).find((each) => each !== undefined)?.move}
              hasFailed={reactions.isError}
            />
          )}
        </div>
      ))}
      {events.length > shown.length && (
        <p className="text-dim">
          and <Figure>{events.length - shown.length}</Figure> more in this bar
        </p>
      )}
      <p role="status" className="sr-only">
        {groups
          .flatMap((group) => group.events.map((event) => describeEvent(event, symbol, byId.get(event.id))))
          .join(" ")}
      </p>
    </div>
  );
}

/** A pointer that only passes over a bar asks for nothing. */
const REST_MS = 120;
const REFRESH_MS = 15_000;

/** Reads what releases did to a symbol. What has been measured completely is not read again. */
function useReactions(symbol: string, events: readonly ChartEvent[]) {
  const at = useShownAt();
  const ids = events.map(({ id }) => id).join();
  const [restedAt, setRestedAt] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setRestedAt(ids), REST_MS);
    return () => clearTimeout(timer);
  }, [ids]);
  const url = `/symbols/${symbol}/releases?${new URLSearchParams({ ids })}`;
  // A figure that arrives changes the surprise.
  const figures = events.map(({ actual }) => actual).join();
  return useQuery<readonly Reaction[]>({
    queryKey: ["reactions", url, figures, at],
    async queryFn({ signal }) {
      const answer = await fetch(withAt(url, at), { signal, cache: "no-store" });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as readonly Reaction[];
    },
    enabled: ids !== "" && restedAt === ids,
    placeholderData: (before, query) =>
      query?.queryKey[1] === url && isStillPast(query.queryKey[3] as string | null, at) ? before : undefined,
    staleTime: ({ state }) => (isWhole(state.data) ? Infinity : REFRESH_MS),
    refetchInterval: ({ state }) => (isWhole(state.data) ? false : REFRESH_MS),
    retry: 1,
    networkMode: "always",
  });
}

const isWhole = (reactions: readonly Reaction[] | undefined) => reactions?.every((each) => each.isWhole) === true;

function EventLine({ event, surprise }: { event: ChartEvent; surprise: Reaction["surprise"] }) {
  const { timeMs, currency, title, impact, actual, forecast, previous } = event;
  const zone = useZone();
  const time = useMemo(
    () => new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "short", hour: "2-digit", minute: "2-digit" }),
    [zone],
  );
  const figures = [
    ["actual", actual ?? ""],
    ["forecast", forecast],
    ["previous", previous],
    ["surprise", surprise === null ? "" : writeSurpriseText(surprise)],
  ] as const;
  return (
    <p>
      <span aria-hidden className={`mr-1.5 inline-block size-2 rounded-full ${IMPACT_COLOURS[impact]}`} />
      <Figure className="text-dim">{time.format(timeMs).replace(",", "")}</Figure> <Figure>{currency}</Figure> {title}{" "}
      <span className="text-dim">{impact} impact</span>
      {figures.map(
        ([name, text]) =>
          text !== "" && (
            <span key={name} className="whitespace-nowrap text-dim">
              {" · "}
              {name} <Figure className={name === "actual" ? "text-ink" : ""}>{text}</Figure>
            </span>
          ),
      )}
    </p>
  );
}

function writeSurpriseText({ text, sigmas }: NonNullable<Reaction["surprise"]>): string {
  return sigmas === null ? text : `${text} (${formatSigmas(sigmas)})`;
}

interface ReactionTableProps {
  symbol: string;
  /** Null without stored prices; undefined until it is loaded. */
  move: Reaction["move"] | undefined;
  hasFailed: boolean;
}

/** What a symbol did after a release, in pips. */
function ReactionTable({ symbol, move, hasFailed }: ReactionTableProps) {
  if (move === null || (move === undefined && hasFailed)) {
    return (
      <p className="text-dim">
        {move === null ? (
          <>
            No prices of <Figure>{symbol}</Figure> are stored around it.
          </>
        ) : (
          "What followed could not be loaded."
        )}
      </p>
    );
  }
  const first = move?.first ?? [1, 5, AROUND_MINUTES].map((minutes) => ({ minutes, pips: null, range: null }));
  const write = (text: string) => (move === undefined ? "…" : text);
  return (
    <table className="w-fit text-right">
      <caption className="sr-only">{symbol} after the release, in pips</caption>
      <thead className="text-dim">
        <tr>
          <th scope="col" className="pr-3 text-left font-normal">
            <Figure>{symbol}</Figure> pips
          </th>
          {first.map(({ minutes }) => (
            <th key={minutes} scope="col" className="pr-3 font-normal">
              <Figure>{minutes}</Figure> min
            </th>
          ))}
          <th scope="col" className="font-normal">
            Farthest
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row" className="pr-3 text-left font-normal text-dim">
            Move
          </th>
          {first.map(({ minutes, pips }) => (
            <Figure as="td" key={minutes} className={`pr-3 ${getColour(pips)}`}>
              {write(formatMove(pips))}
            </Figure>
          ))}
          <Figure as="td" className={getColour(move?.reach ?? null)}>
            {write(formatMove(move?.reach ?? null))}
          </Figure>
        </tr>
        <tr>
          <th scope="row" className="pr-3 text-left font-normal text-dim">
            Range
          </th>
          {first.map(({ minutes, range }) => (
            <Figure as="td" key={minutes} className="pr-3">
              {write(range === null ? "–" : range.toFixed(1))}
            </Figure>
          ))}
          <td />
        </tr>
      </tbody>
    </table>
  );
}

const getColour = (pips: number | null) => (pips === null || pips === 0 ? "" : pips > 0 ? "text-up" : "text-down");

/** Says an event and what followed, for screen readers. */
function describeEvent(event: ChartEvent, symbol: string, reaction: Reaction | undefined): string {
  const { currency, title, impact, actual, forecast, previous } = event;
  const parts = [`${currency} ${title}, ${impact} impact`];
  if (actual !== null) parts.push(`actual ${actual}`);
  if (forecast !== "") parts.push(`forecast ${forecast}`);
  if (previous !== "") parts.push(`previous ${previous}`);
  if (reaction?.surprise != null) parts.push(`surprise ${writeSurpriseText(reaction.surprise)}`);
  const move = reaction?.move;
  if (move == null) return `${parts.join(", ")}.`;
  const moves = move.first.flatMap(({ minutes, pips, range }) =>
    pips === null ? [] : `${minutes} min ${formatMove(pips)}, range ${range?.toFixed(1)}`,
  );
  if (move.reach !== null) moves.push(`farthest ${formatMove(move.reach)}`);
  return `${parts.join(", ")}. ${symbol} in pips after the release: ${moves.join("; ") || "not known yet"}.`;
}
