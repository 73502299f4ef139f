"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { AlarmClock } from "lucide-react";
import { useMarketTime } from "@/components/shared/market-clock";
import { getButtonClass } from "@/components/ui/button";
import { Fact } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { useShownAt } from "@/components/ui/past";
import { withAt } from "@/components/ui/past-address";
import { Skeleton } from "@/components/ui/skeleton";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { ChoiceTabs } from "@/components/ui/tabs";
import { useFresh } from "@/components/ui/use-fresh";
import type { EventDetail as Detail, PairMoves, PastRelease } from "@/features/calendar/read-detail";
import { EventReminder } from "@/features/calendar/reminder-settings";
import type { PageEvent } from "@/features/calendar/types";
import { formatSigmas, type WrittenSurprise } from "@/lib/calendar/figure";
import { AROUND_MINUTES, formatMove, getMedian, type Move } from "@/lib/calendar/measure-move";
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
  const at = useShownAt();
  const { data: detail, isError } = useQuery<Detail>({
    // A figure that arrives changes the series.
    queryKey: ["calendar-event", id, actual, at],
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      const answer = await fetch(withAt(`/calendar/event?${new URLSearchParams({ id })}`, at), { signal });
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

const WIDTH = 480;
const HEIGHT = 120;
const PAD = 8;

/** A series' released figures as bars and its forecasts as lines across them. `releases` are newest first. */
function FigureChart({ releases }: { releases: readonly PastRelease[] }) {
  const points = releases.filter(({ value }) => value !== null).reverse();
  const values = points.flatMap(({ value, expected }) => [value ?? 0, expected ?? value ?? 0]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Bars that start at zero would all look alike for figures far from it.
  const floor = low > 0 && low > (high - low) * 2 ? low - (high - low || 1) * 0.5 : Math.min(0, low);
  const top = Math.max(high, floor + 1e-9);
  const y = (value: number) => HEIGHT - PAD - ((value - floor) / (top - floor || 1)) * (HEIGHT - 2 * PAD);
  const base = y(Math.max(floor, Math.min(0, top)));
  const step = Math.min(28, WIDTH / points.length);
  const newest = points.at(-1);
  return (
    <figure aria-label="Released figures">
      <svg
        className="h-30 max-w-full"
        viewBox={`0 0 ${Math.max(step * points.length, 120)} ${HEIGHT}`}
        preserveAspectRatio="xMinYMid meet"
        aria-hidden
      >
        <line x1="0" x2={step * points.length} y1={base} y2={base} className="stroke-edge" />
        {points.map(({ id, value, expected }, index) => (
          <g key={id}>
            <rect
              x={index * step + step * 0.2}
              y={Math.min(y(value ?? 0), base)}
              width={step * 0.6}
              height={Math.max(1, Math.abs(y(value ?? 0) - base))}
              className={id === newest?.id ? "fill-dim" : "fill-faint"}
            />
            {expected !== null && (
              <line
                x1={index * step + step * 0.05}
                x2={index * step + step * 0.95}
                y1={y(expected)}
                y2={y(expected)}
                className="stroke-accent-ink stroke-2"
              />
            )}
          </g>
        ))}
      </svg>
      <figcaption className="mt-1.5 text-xs12 text-faint">
        Bars show released figures, lines forecasts; the newest is at the right.
      </figcaption>
    </figure>
  );
}

const MOVE_WIDTH = 360;
const MOVE_HEIGHT = 120;
/** Fewer moves have no median worth a sentence. */
const LEAST_SUMMARISED = 3;

/** Returns the drawn path of a move: a line that breaks where no price is stored. `scale` is in pips from the middle. */
function drawPath({ path }: Move, scale: number, width: number, height: number): string {
  const step = width / (path.length - 1);
  let isBroken = true;
  return path
    .map((pips, index) => {
      if (pips === null) {
        isBroken = true;
        return "";
      }
      const place = `${(index * step).toFixed(1)} ${(((scale - pips) / (2 * scale)) * height).toFixed(1)}`;
      const command = isBroken ? "M" : "L";
      isBroken = false;
      return `${command}${place}`;
    })
    .join("");
}

/** Returns the farthest of some moves from the price before the release, in pips; at least one. */
function getScale(moves: readonly Move[]): number {
  return Math.max(1, ...moves.flatMap(({ path }) => path.map((pips) => Math.abs(pips ?? 0))));
}

/** All moves of a pair around the same moment, the newest stressed, and their medians in words. */
function MoveChart({ symbol, moves }: PairMoves) {
  const known = moves.flatMap(({ move }) => move ?? []);
  const summary = summariseMoves(known);
  const [newest] = known;
  if (summary === null || newest === undefined) {
    return (
      <p className="text-dim">
        {moves.length === 0 ? "Nothing was released yet." : `No prices of ${symbol} are stored around these releases.`}
      </p>
    );
  }
  const scale = getScale(known);
  return (
    <figure aria-label={`${symbol} around the releases`}>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-2xs text-faint tabular-nums">
        <div className="flex flex-col justify-between text-right">
          <span>+{scale.toFixed(0)}</span>
          <span>0</span>
          <span>−{scale.toFixed(0)}</span>
        </div>
        <svg
          viewBox={`0 0 ${MOVE_WIDTH} ${MOVE_HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-30 w-full"
          aria-hidden
        >
          <line x1="0" x2={MOVE_WIDTH} y1={MOVE_HEIGHT / 2} y2={MOVE_HEIGHT / 2} className="stroke-line" />
          <line
            x1={MOVE_WIDTH / 2}
            x2={MOVE_WIDTH / 2}
            y1="0"
            y2={MOVE_HEIGHT}
            className="stroke-edge"
            strokeDasharray="3 3"
          />
          {known.toReversed().map((move, index) => (
            <path
              key={index}
              d={drawPath(move, scale, MOVE_WIDTH, MOVE_HEIGHT)}
              fill="none"
              vectorEffect="non-scaling-stroke"
              className={move === newest ? "stroke-accent-ink stroke-2" : "stroke-faint opacity-60"}
            />
          ))}
        </svg>
        <span />
        <div className="flex justify-between">
          <span>−30 min</span>
          <span>release</span>
          <span>+30 min</span>
        </div>
      </div>
      <figcaption className="mt-1.5 text-xs12 text-dim">
        {known.length >= LEAST_SUMMARISED && formatSummary(symbol, summary)}{" "}
        <span className="text-faint">
          {known.length} of {moves.length} releases have stored prices. The strong line is the newest of them.
        </span>
      </figcaption>
    </figure>
  );
}

/** Returns the move some minutes after the release, in pips; null if no price is stored. */
export function getMoveAfter({ path, barMinutes }: Move, minutes: number): number | null {
  return path[(AROUND_MINUTES + minutes) / barMinutes] ?? null;
}

/**
 * Sums up some moves of one pair: the median distance from the price before the release after 30 minutes, and the
 * medians of ranges and spreads. Null for no move.
 */
export function summariseMoves(moves: readonly Move[]) {
  const ofKnown = (values: readonly (number | null)[]) => getMedian(values.filter((value) => value !== null));
  if (moves.length === 0) return null;
  return {
    after30: ofKnown(moves.map((move) => getMoveAfter(move, AROUND_MINUTES)).map((pips) => pips && Math.abs(pips))),
    rangeBefore: getMedian(moves.map(({ rangeBefore }) => rangeBefore)) ?? 0,
    rangeAfter: getMedian(moves.map(({ rangeAfter }) => rangeAfter)) ?? 0,
    spreadBefore: ofKnown(moves.map(({ spread }) => spread?.before ?? null)),
    spreadWidest: ofKnown(moves.map(({ spread }) => spread?.widest ?? null)),
  };
}

/** Puts a summary in words. */
function formatSummary(symbol: string, summary: NonNullable<ReturnType<typeof summariseMoves>>): string {
  const { after30, rangeBefore, rangeAfter, spreadBefore, spreadWidest } = summary;
  const write = (pips: number) => pips.toFixed(1);
  const move = after30 === null ? "" : `${symbol} was ${write(after30)} pips away after 30 minutes. `;
  const range = `Its range was ${write(rangeBefore)} pips in the 30 minutes before and ${write(rangeAfter)} after`;
  const spread =
    spreadBefore === null || spreadWidest === null
      ? ""
      : `; its spread went from ${write(spreadBefore)} to ${write(spreadWidest)} pips`;
  return `Medians: ${move}${range}${spread}.`;
}

const MOST_ROWS = 12;

interface Row extends PastRelease {
  /** Null without stored prices; undefined until they are loaded. */
  readonly move: Move | null | undefined;
}

interface ReleaseTableProps {
  releases: readonly PastRelease[];
  moves: PairMoves | undefined;
  zone: string;
  /** Whether the plan includes released figures. */
  withActual: boolean;
}

/** The past releases of a series with their surprises and revisions, and what a pair did around each. */
function ReleaseTable({ releases, moves, zone, withActual }: ReleaseTableProps) {
  const byId = new Map(moves?.moves.map(({ id, move }) => [id, move]));
  const rows = releases.slice(0, MOST_ROWS).map((release) => ({
    ...release,
    move: moves === undefined ? undefined : (byId.get(release.id) ?? null),
  }));
  const scale = getScale(rows.flatMap(({ move }) => move ?? []));
  const hasFigures = rows.some(({ actual, forecast }) => actual !== null || forecast !== "");
  const columns = [
    createTimeColumn(zone),
    ...(hasFigures ? (withActual ? FIGURE_COLUMNS : [FORECAST]) : []),
    ...(moves === undefined ? [] : createMoveColumns(moves.symbol, scale)),
  ];
  return (
    <ScrollRegion label="Past releases">
      <Table
        caption="Past releases"
        look="dense"
        columns={columns}
        rows={rows}
        getKey={({ id }) => id}
        cellClassName="pr-5 last:pr-0"
      />
    </ScrollRegion>
  );
}

function createTimeColumn(zone: string): Column<Row> {
  const date = { day: "numeric", month: "short", year: "numeric" } as const;
  const withHour = new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...date, hour: "2-digit", minute: "2-digit" });
  const withoutHour = new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...date });
  return {
    heading: "Released",
    cell: ({ timeMs, hasHour }) => (
      <time dateTime={new Date(timeMs).toISOString()} className="tabular-nums">
        {(hasHour ? withHour : withoutHour).format(timeMs)}
      </time>
    ),
  };
}

const FORECAST: Column<Row> = { heading: "Forecast", isNumeric: true, cell: ({ forecast }) => forecast };
const FIGURE_COLUMNS: readonly Column<Row>[] = [
  {
    heading: "Actual",
    isNumeric: true,
    cell: ({ actual, first }) => (
      <>
        {actual ?? "–"}
        {first !== null && <span className="text-note"> (first {first})</span>}
      </>
    ),
  },
  FORECAST,
  { heading: "Surprise", isNumeric: true, cell: ({ surprise }) => surprise?.text ?? "–" },
  {
    heading: "In σ",
    isNumeric: true,
    tip: "The surprise over the standard deviation of the earlier surprises of this series, from five on",
    cell: ({ surprise }) => showSigmas(surprise),
  },
  {
    heading: "Revised to",
    isNumeric: true,
    cell: ({ revised }) => revised !== null && <span className="text-note">{revised}</span>,
  },
];

function showSigmas(surprise: WrittenSurprise | null) {
  if (surprise === null) return "–";
  const { sigmas, n } = surprise;
  if (sigmas === null) return <span className="text-faint">{n < 5 ? `only ${n} before` : "–"}</span>;
  return (
    <span title={`Of ${n} earlier surprises`} className={Math.abs(sigmas) >= 2 ? "font-semibold text-ink" : "text-dim"}>
      {formatSigmas(sigmas)}
    </span>
  );
}

function createMoveColumns(symbol: string, scale: number): Column<Row>[] {
  const after = (minutes: number): Column<Row> => ({
    heading: `+${minutes} min`,
    tip: `${symbol} ${minutes} minutes after the release, in pips`,
    isNumeric: true,
    cell: ({ move }) => (move ? formatMove(getMoveAfter(move, minutes)) : ""),
  });
  return [
    {
      heading: `${symbol} ±30 min`,
      cell: ({ move }) =>
        move ? <MovePath move={move} scale={scale} /> : <span className="text-faint">no prices</span>,
    },
    after(5),
    after(30),
    {
      heading: "Range",
      tip: "Highest minus lowest bid in the 30 minutes before and after, in pips",
      isNumeric: true,
      cell: ({ move }) => move && `${move.rangeBefore.toFixed(1)} → ${move.rangeAfter.toFixed(1)}`,
    },
    {
      heading: "Spread",
      tip: "The median spread before the release, and of the widest minute around it, in pips",
      isNumeric: true,
      cell: ({ move }) => move?.spread && `${move.spread.before.toFixed(1)} → ${move.spread.widest.toFixed(1)}`,
    },
  ];
}

/** A small picture of one move. All rows have the same scale. */
function MovePath({ move, scale }: { move: Move; scale: number }) {
  return (
    <svg viewBox="0 0 96 22" className="h-5.5 w-24" aria-hidden>
      <line x1="0" x2="96" y1="11" y2="11" className="stroke-line" />
      <line x1="48" x2="48" y1="0" y2="22" className="stroke-edge" strokeDasharray="2 2" />
      <path d={drawPath(move, scale, 96, 22)} fill="none" className="stroke-accent-ink" />
    </svg>
  );
}
