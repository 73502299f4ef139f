import { ChevronLeft, ChevronRight } from "lucide-react";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { LinkTabs } from "@/components/ui/tabs";
import { ConditionIcon, ConditionMark, formatShare } from "@/features/data-quality/condition-mark";
import type { QualityPageData } from "@/features/data-quality/data";
import { formatDay, getMonth, type QualityView, toQualityHref } from "@/features/data-quality/url";
import { type Condition, CONDITIONS } from "@/lib/history/quality/quality-days";
import type { DaySum } from "@/lib/history/quality/quality-sums";
import { DAY_MS } from "@/lib/time/units";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const MONTH_NAME = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

interface ViewProps {
  view: QualityView;
  data: QualityPageData;
}

/** A month as a calendar: how complete each day is, of the served prices or of a source. */
export function MonthView({ view, data: { month, nowMs } }: ViewProps) {
  const { symbol, monthMs, source } = view;
  const names = [...new Set(month.flatMap(({ sources }) => sources.map((each) => each.source)))].sort();
  const shown = source !== null && names.includes(source) ? source : null;
  const bare = { ...view, dayMs: null, momentMs: null };
  return (
    <section aria-labelledby="quality-month" className="border-t border-line px-4 py-4 max-md:px-3">
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="quality-month" className="min-w-36 font-semibold">
          {MONTH.format(monthMs)}
        </h2>
        <MonthLink href={toQualityHref({ ...bare, monthMs: getMonth(monthMs, -1) })} step={-1} />
        {getMonth(monthMs, 1) <= nowMs && (
          <MonthLink href={toQualityHref({ ...bare, monthMs: getMonth(monthMs, 1) })} step={1} />
        )}
        <LinkTabs
          label="Prices of the calendar"
          tabs={[null, ...names].map((name) => ({
            href: toQualityHref({ ...view, momentMs: null, source: name }),
            text: name ?? "Served prices",
            isCurrent: name === shown,
          }))}
        />
      </div>
      {names.length === 0 ? (
        <EmptyState art="record" title={`No judged hour of ${symbol} in ${MONTH.format(monthMs)}`}>
          An hour is judged six minutes after its end, while the server records.
        </EmptyState>
      ) : (
        <>
          <Calendar view={{ ...view, source: shown }} month={month} nowMs={nowMs} />
          <Legend />
        </>
      )}
    </section>
  );
}

function MonthLink({ href, step }: { href: string; step: -1 | 1 }) {
  const Icon = step === -1 ? ChevronLeft : ChevronRight;
  const label = step === -1 ? "Previous month" : "Next month";
  return (
    <Link href={href} scroll={false} aria-label={label} title={label} className={getButtonClass("quiet", "sm")}>
      <Icon aria-hidden size={16} />
    </Link>
  );
}

function Legend() {
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs12 text-dim">
      {CONDITIONS.map((condition) => (
        <ConditionMark key={condition} condition={condition} />
      ))}
      <span>The percentage is the part of the open time with prices.</span>
    </p>
  );
}

interface CalendarProps {
  view: QualityView;
  month: QualityPageData["month"];
  nowMs: number;
}

function Calendar({ view, month, nowMs }: CalendarProps) {
  const { symbol, monthMs, source } = view;
  const before = (new Date(monthMs).getUTCDay() + 6) % 7;
  const cells = [...Array.from({ length: before }, () => null), ...month];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    WEEKDAYS.map((name, day) => ({ name, day: cells[7 * week + day] ?? null })),
  );
  return (
    <table className="w-full max-w-3xl table-fixed border-separate border-spacing-0.5 text-xs12 max-md:text-2xs">
      <caption className="sr-only">
        Completeness of {source ?? "the served prices"} of {symbol}, {MONTH.format(monthMs)}, by day
      </caption>
      <thead>
        <tr className="h-6">
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col" className="font-normal text-dim">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.find(({ day }) => day !== null)?.day?.dayMs}>
            {week.map(({ name, day }) => (
              <td key={name} className="p-0">
                {day !== null && <DayCell day={day} view={view} nowMs={nowMs} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The least completeness that has a colour of its own. */
const PALEST = 0.9;

function getColour(condition: Condition | null, share: number): string {
  if (condition === "complete") return "color-mix(in oklab, var(--up) 26%, var(--panel))";
  if (condition === "missing") return "color-mix(in oklab, var(--down) 34%, var(--panel))";
  if (condition !== "degraded") return "var(--hover)";
  const depth = Math.min(1, (1 - share) / (1 - PALEST));
  return `color-mix(in oklab, var(--warn) ${(16 + 26 * depth).toFixed(0)}%, var(--panel))`;
}

function DayCell({ day, view, nowMs }: { day: QualityPageData["month"][number]; view: QualityView; nowMs: number }) {
  const { dayMs } = day;
  const own = view.source === null ? null : day.sources.find((each) => each.source === view.source);
  const [expected, covered, condition] =
    own === null
      ? [day.expected, day.served, day.condition]
      : [own?.expected ?? 0, own?.covered ?? 0, own?.condition ?? null];
  const share = formatShare(covered, expected);
  const box = "relative grid min-h-12 content-between rounded-[2px] p-1.5 tabular-nums";
  const number = new Date(dayMs).getUTCDate();
  if (dayMs > nowMs) return <span className={`${box} text-faint`}>{number}</span>;
  return (
    <Link
      href={toQualityHref({ ...view, dayMs, momentMs: null })}
      scroll={false}
      aria-current={dayMs === view.dayMs ? "date" : undefined}
      className={`${box} hover:outline-1 hover:outline-ink aria-[current]:outline-2 aria-[current]:outline-accent-ink`}
      style={{ background: getColour(condition, expected === 0 ? 1 : covered / expected) }}
    >
      <span className="flex items-center justify-between">
        <span>
          <Figure>{number}</Figure>
          <span className="sr-only">
            {" "}
            {MONTH_NAME.format(dayMs)}: {condition ?? "not judged"}
            {expected === 0 ? "" : ", "}
          </span>
        </span>
        {condition !== null && <ConditionIcon condition={condition} />}
      </span>
      <Figure className="truncate text-right text-2xs">{expected === 0 ? " " : share.replace(" %", "")}</Figure>
    </Link>
  );
}

/** The worst symbols and sources of a day, each with a link to it. */
export function WorstList({ view, data: { worst, listed, listedMs } }: ViewProps) {
  return (
    <section aria-labelledby="quality-worst" className="border-t border-line px-4 py-4 max-md:px-3">
      <h2 id="quality-worst" className="mb-2 font-semibold">
        All symbols on {formatDay(listedMs)}, the worst first
      </h2>
      {worst.length === 0 ? (
        <p className="text-dim">Nothing of this day is judged.</p>
      ) : (
        <ScrollRegion label="The worst symbols of the day" className="max-w-3xl">
          <Table
            caption={`Conditions of symbols and sources on ${formatDay(listedMs)}`}
            look="dense"
            cellClassName="border-t border-line px-2 first:pl-0 max-md:px-1 max-md:text-xs12"
            headingClassName=""
            columns={getColumns(view, listedMs)}
            rows={worst}
            getKey={({ symbol, source }) => `${symbol} ${source}`}
          />
        </ScrollRegion>
      )}
      {listed > worst.length && (
        <p className="mt-1.5 text-xs12 text-faint">
          The first {worst.length} of {listed}. The API lists them all.
        </p>
      )}
    </section>
  );
}

const getColumns = (view: QualityView, dayMs: number): readonly Column<DaySum>[] => [
  {
    heading: "Symbol",
    cell: ({ symbol, source }) => (
      <Link
        href={toQualityHref({ ...view, symbol, source, dayMs: Math.floor(dayMs / DAY_MS) * DAY_MS, momentMs: null })}
        translate="no"
        className="hover:underline"
      >
        {symbol}
      </Link>
    ),
  },
  { heading: "Source", isFigure: true, cell: ({ source }) => source },
  { heading: "Condition", cell: ({ condition }) => <ConditionMark condition={condition} /> },
  { heading: "Complete", isNumeric: true, cell: ({ covered, expected }) => formatShare(covered, expected) },
  {
    heading: "At fault",
    tip: "Compared minutes that are stale, lag, off or spike",
    isNumeric: true,
    cell: ({ faulty, compared }) => `${faulty} / ${compared}`,
  },
];
