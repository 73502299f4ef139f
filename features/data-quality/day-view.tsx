import type { ReactNode } from "react";
import { Fact } from "@/components/ui/facts";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { ConditionMark, formatShare } from "@/features/data-quality/condition-mark";
import type { QualityPageData } from "@/features/data-quality/data";
import { formatClock, formatDay, type QualityView, toQualityHref } from "@/features/data-quality/url";
import { toPips } from "@/lib/api/history/spread-comparison";
import type { Verdict } from "@/lib/history/quality/judge-hour";
import type { SourceDay } from "@/lib/history/quality/quality-days";
import type { Instrument } from "@/lib/market/instrument";
import { formatCount } from "@/lib/text/text";
import { formatExactDuration } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

interface DayProps {
  view: QualityView;
  day: NonNullable<QualityPageData["day"]>;
  instrument: Instrument;
}

/** A day in full: the served prices, then each source. */
export function QualityDayView({ view, day, instrument }: DayProps) {
  const { dayMs, condition, expected, served, recorded, sources, strips } = day;
  return (
    <section aria-labelledby="quality-day" className="border-t border-line px-4 py-4 max-md:px-3">
      <h2 id="quality-day" className="font-semibold">
        {view.symbol} on {formatDay(dayMs)}
        <span className="ml-2.5 text-xs13 font-normal text-dim">all times are UTC</span>
      </h2>
      <FactList>
        <Fact name="Condition">{condition === null ? "not judged" : <ConditionMark condition={condition} />}</Fact>
        <Fact name="Complete">{formatShare(served, expected)}</Fact>
        <Fact name="Expected seconds">{formatCount(expected)}</Fact>
        <Fact name="Served seconds">{formatCount(served)}</Fact>
        <Fact name="Recorded seconds">{formatCount(recorded)}</Fact>
      </FactList>
      {sources.length === 0 && <p className="mt-2 text-dim">No source has a judged hour of this day.</p>}
      {sources.length > 0 && <StripLegend />}
      {sources.map((source) => (
        <SourcePart
          key={source.source}
          view={view}
          found={source}
          served={served}
          minutes={strips.get(source.source) ?? []}
          instrument={instrument}
        />
      ))}
    </section>
  );
}

function FactList({ children }: { children: ReactNode }) {
  return (
    <dl className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-6 gap-y-2.5 text-xs13 [&_dt]:mb-0.5">
      {children}
    </dl>
  );
}

/** How each verdict is drawn: its colour, and its height as a part of the strip, so that the colour is not needed. */
const LOOKS: Readonly<Record<Verdict, { colour: string; height: number }>> = {
  agrees: { colour: "var(--up)", height: 4 },
  alone: { colour: "var(--edge)", height: 4 },
  closed: { colour: "var(--line)", height: 2 },
  lag: { colour: "var(--note)", height: 8 },
  stale: { colour: "var(--line-5)", height: 10 },
  off: { colour: "var(--line-4)", height: 12 },
  spike: { colour: "var(--accent-ink)", height: 16 },
  gap: { colour: "var(--down)", height: 16 },
};
const STRIP_HEIGHT = 16;

function StripLegend() {
  return (
    <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-xs12 text-dim">
      {(Object.keys(LOOKS) as Verdict[]).map((verdict) => (
        <span key={verdict} className="inline-flex items-end gap-1.5">
          <svg aria-hidden width="8" height={STRIP_HEIGHT} viewBox={`0 0 8 ${STRIP_HEIGHT}`}>
            <Bar verdict={verdict} from={0} to={8} />
          </svg>
          {verdict}
        </span>
      ))}
    </p>
  );
}

function Bar({ verdict, from, to }: { verdict: Verdict; from: number; to: number }) {
  const { colour, height } = LOOKS[verdict];
  return <rect x={from} y={STRIP_HEIGHT - height} width={to - from} height={height} style={{ fill: colour }} />;
}

interface SourceProps {
  view: QualityView;
  found: SourceDay;
  /** Seconds that were served from any source. */
  served: number;
  minutes: readonly (Verdict | null)[];
  instrument: Instrument;
}

function SourcePart({ view, found, served, minutes, instrument }: SourceProps) {
  const { source, condition, expected, covered, updated, gaps, disagreement, refused, offsetMs } = found;
  const longest = Math.max(0, ...gaps.map(({ fromMs, toMs }) => toMs - fromMs)) / SECOND_MS;
  const pips = (size: number) => `${toPips(size, instrument)} pips`;
  const counts = Object.entries(found.minutes).filter(([verdict, count]) => count > 0 && verdict !== "closed");
  const id = `quality-${source}`;
  return (
    <section aria-labelledby={id} className="mt-5">
      <h3 id={id} className="flex flex-wrap items-baseline gap-x-3 font-medium">
        <span translate="no">{source}</span>
        <span className="text-xs13 font-normal text-dim">
          <ConditionMark condition={condition} />
        </span>
      </h3>
      <Strip source={source} minutes={minutes} counts={counts} />
      <FactList>
        <Fact name="Complete">{formatShare(covered, expected)}</Fact>
        <Fact name="Covered / expected" isFigure>
          {formatCount(covered)} / {formatCount(expected)} s
        </Fact>
        <Fact name="Seconds with an update">{formatCount(updated)}</Fact>
        <Fact name="Gaps">
          {gaps.length === 0 ? "none" : `${gaps.length}, the longest ${formatExactDuration(longest * SECOND_MS)}`}
        </Fact>
        <Fact name="Share served">{formatShare(found.served, served)}</Fact>
        <Fact name="Disagreement, median">{disagreement === null ? "–" : pips(disagreement.median)}</Fact>
        <Fact name="Disagreement, 99 %">{disagreement === null ? "–" : pips(disagreement.p99)}</Fact>
        <Fact name="Longest apart">{disagreement === null ? "–" : `${disagreement.longestSeconds} s`}</Fact>
        <Fact name="Bars that differ" isFigure>
          {formatCount(found.differingBars)} / {formatCount(found.bars)}
        </Fact>
        <Fact name="Clock behind">{offsetMs === null ? "not known" : `${formatCount(offsetMs)} ms`}</Fact>
        <Fact name="Refused ticks">
          {refused.size === 0
            ? "none"
            : [...refused].map(([reason, count]) => `${reason} ${formatCount(count)}`).join(", ")}
        </Fact>
      </FactList>
      <div className="mt-3 grid grid-cols-2 gap-x-8 gap-y-3 max-wide:grid-cols-1">
        <Faults view={view} found={found} instrument={instrument} />
        <Gaps found={found} />
      </div>
    </section>
  );
}

interface StripProps {
  source: string;
  minutes: readonly (Verdict | null)[];
  counts: readonly (readonly [string, number])[];
}

/** The verdicts of all minutes. The tables below have what is not right. */
function Strip({ source, minutes, counts }: StripProps) {
  const runs: { verdict: Verdict | null; from: number; to: number }[] = [];
  for (const [minute, verdict] of minutes.entries()) {
    const last = runs.at(-1);
    if (last?.verdict === verdict) last.to = minute + 1;
    else runs.push({ verdict, from: minute, to: minute + 1 });
  }
  const summary = counts.map(([verdict, count]) => `${count} ${verdict}`).join(", ");
  return (
    <figure className="mt-1.5">
      <svg
        role="img"
        aria-label={`Minutes of ${source}: ${summary === "" ? "none judged" : summary}`}
        viewBox={`0 0 ${minutes.length} ${STRIP_HEIGHT}`}
        preserveAspectRatio="none"
        className="h-6 w-full border-b border-line"
      >
        {runs.map(
          ({ verdict, from, to }) => verdict !== null && <Bar key={from} verdict={verdict} from={from} to={to} />,
        )}
      </svg>
      <figcaption className="flex justify-between text-2xs text-faint">
        {["00:00", "06:00", "12:00", "18:00", "24:00"].map((time) => (
          <Figure key={time}>{time}</Figure>
        ))}
      </figcaption>
    </figure>
  );
}

/** Rows of a table; the API has the others. */
const MOST_ROWS = 40;
const TABLE = {
  look: "dense",
  isCaptionShown: true,
  captionClassName: "pb-1 text-xs12 text-faint",
  cellClassName: "border-t border-line px-2 tabular-nums first:pl-0 max-md:px-1 max-md:text-xs12",
  headingClassName: "",
} as const;

interface Fault {
  readonly fromMs: number;
  readonly toMs: number;
  readonly verdict: Verdict;
  /** The size of a spike that a second ended with, in price units. */
  readonly size: number | null;
}

/** What is wrong with prices, oldest first: each spike, and each time with another fault. */
function listFaults({ runs, spikes }: SourceDay): Fault[] {
  const faults = runs.flatMap((run): Fault[] => {
    if (run.verdict === "gap" || run.verdict === "alone") return [];
    if (run.verdict === "spike" && spikes.some((each) => each.fromMs < run.toMs && run.fromMs < each.toMs)) return [];
    return [{ ...run, size: null }];
  });
  const all = [...faults, ...spikes.map((spike) => ({ ...spike, verdict: "spike" as const }))];
  return all.sort((one, other) => one.fromMs - other.fromMs);
}

function Faults({ view, found, instrument }: { view: QualityView; found: SourceDay; instrument: Instrument }) {
  const faults = listFaults(found);
  if (faults.length === 0) return <p className="text-xs13 text-dim">No minute of {found.source} is at fault.</p>;
  const columns: readonly Column<Fault>[] = [
    { heading: "From", isFigure: true, cell: ({ fromMs }) => formatClock(fromMs) },
    { heading: "To", isFigure: true, cell: ({ toMs }) => formatClock(toMs) },
    { heading: "Fault", cell: ({ verdict }) => verdict },
    {
      heading: "Distance",
      isNumeric: true,
      cell: ({ size, verdict }) =>
        size === null ? (verdict === "spike" ? "within a second" : "–") : `${toPips(size, instrument)} pips`,
    },
    {
      heading: "Prices",
      cell: ({ fromMs, verdict }) => (
        <Link
          href={toQualityHref({ ...view, source: found.source, momentMs: fromMs })}
          aria-label={`Show the prices of the ${verdict} at ${formatClock(fromMs)}`}
          className="underline underline-offset-2"
        >
          Show
        </Link>
      ),
    },
  ];
  return (
    <ScrollRegion label={`Faults of ${found.source}`}>
      <Table
        {...TABLE}
        caption={describeRows("Spikes and other faults", faults.length)}
        columns={columns}
        rows={faults.slice(0, MOST_ROWS)}
        getKey={({ fromMs, verdict }) => `${fromMs} ${verdict}`}
      />
    </ScrollRegion>
  );
}

function Gaps({ found: { source, gaps } }: { found: SourceDay }) {
  if (gaps.length === 0) return null;
  return (
    <ScrollRegion label={`Gaps of ${source}`}>
      <Table
        {...TABLE}
        caption={describeRows("Gaps", gaps.length)}
        columns={[
          { heading: "From", isFigure: true, cell: ({ fromMs }) => formatClock(fromMs) },
          { heading: "To", isFigure: true, cell: ({ toMs }) => formatClock(toMs) },
          { heading: "Length", isNumeric: true, cell: ({ fromMs, toMs }) => formatExactDuration(toMs - fromMs) },
          { heading: "Reason", cell: ({ reason }) => reason },
        ]}
        rows={gaps.slice(0, MOST_ROWS)}
        getKey={({ fromMs }) => fromMs}
      />
    </ScrollRegion>
  );
}

function describeRows(name: string, count: number): string {
  return count > MOST_ROWS ? `${name}: the first ${MOST_ROWS} of ${count}, the API has all` : `${name}: ${count}`;
}
