import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { drawPath, getScale } from "@/features/calendar/detail/move-chart";
import { formatMove, getMoveAfter } from "@/features/calendar/detail/move-text";
import type { PairMoves, PastRelease, PastSurprise } from "@/features/calendar/detail/types";
import type { Move } from "@/lib/calendar/measure-move";

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
export function ReleaseTable({ releases, moves, zone, withActual }: ReleaseTableProps) {
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
    cell: ({ surprise }) => formatSigmas(surprise),
  },
  {
    heading: "Revised to",
    isNumeric: true,
    cell: ({ revised }) => revised !== null && <span className="text-note">{revised}</span>,
  },
];

function formatSigmas(surprise: PastSurprise | null) {
  if (surprise === null) return "–";
  const { sigmas, n } = surprise;
  if (sigmas === null) return <span className="text-faint">{n < 5 ? `only ${n} before` : "–"}</span>;
  const text = `${sigmas > 0 ? "+" : sigmas < 0 ? "−" : ""}${Math.abs(sigmas).toFixed(1)}σ`;
  return (
    <span title={`Of ${n} earlier surprises`} className={Math.abs(sigmas) >= 2 ? "font-semibold text-ink" : "text-dim"}>
      {text}
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
