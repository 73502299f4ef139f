import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Fact } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { PriceChart } from "@/features/imports/price-chart";
import { toPageWords } from "@/features/imports/words";
import { REFUSED_WORDS, type RefusedRow } from "@/lib/history/import/import-report";
import { type ImportSummary, nameSeries, type SeriesSummary } from "@/lib/history/import/import-summary";
import { formatCount } from "@/lib/text/text";

/** Series whose details are open at first. */
const MOST_OPEN = 3;

interface SeriesListProps {
  summary: ImportSummary;
  /** Whether the rows are stored, not only read. */
  isImported: boolean;
}

/** Every series of an import: how it is read and why, what will be stored, and what is refused. */
export function SeriesList({ summary, isImported }: SeriesListProps) {
  const { series, more_series } = summary;
  if (series.length === 0) return null;
  return (
    <section aria-labelledby="series-title" className="border-t border-line pt-5">
      <h2 id="series-title" className="mx-4 mb-2 font-medium">
        {series.length === 1
          ? "What is in the files"
          : `${formatCount(series.length + more_series)} series in the files`}
      </h2>
      <ul className="border-t border-line">
        {series.map((each, at) => (
          <SeriesItem key={nameSeries(each)} series={each} isOpen={at < MOST_OPEN} isImported={isImported} />
        ))}
      </ul>
      {more_series > 0 && (
        <p className="px-4 py-2 text-xs13 text-dim">And {formatCount(more_series)} more, which the report has.</p>
      )}
    </section>
  );
}

interface SeriesItemProps {
  series: SeriesSummary;
  isOpen: boolean;
  isImported: boolean;
}

function SeriesItem({ series, isOpen, isImported }: SeriesItemProps) {
  const { symbol, timeframe, source, accepted, added, rows, from, to } = series;
  const refused = rows - accepted;
  return (
    <li className="border-b border-line" data-series={symbol}>
      <details className="group" open={isOpen}>
        <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden size={14} className="text-faint group-open:rotate-90" />
          <b className="font-medium">{symbol}</b>
          <span className="text-dim">{timeframe === null ? "ticks" : `${timeframe} bars`}</span>
          <span className="text-dim">from {source}</span>
          <span className="ml-auto flex flex-wrap gap-x-3 text-xs13 tabular-nums">
            <span>{formatCount(accepted)} rows</span>
            {isImported && <span>{formatCount(added)} new</span>}
            <span className={refused > 0 ? "text-warn" : "text-faint"}>{formatCount(refused)} left out</span>
          </span>
        </summary>
        <div className="grid gap-4 px-4 pt-1 pb-5 wide:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] wide:gap-x-10 2xl:grid-cols-2">
          <div className="grid min-w-0 content-start gap-4">
            <PriceChart series={series} />
            <Check series={series} />
            <Errors series={series} />
            <Refusals series={series} />
          </div>
          <div className="grid min-w-0 content-start gap-4 text-xs13">
            <dl className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-4 gap-y-3 [&_dd]:[overflow-wrap:anywhere]">
              <Reading name="Symbol" value={symbol} reason={series.symbol_reason} />
              <Reading name="Zone" value={series.zone} reason={series.zone_reason} />
              <Reading
                name="Timeframe"
                value={timeframe ?? "ticks"}
                reason={series.timeframe_reason ?? "its rows have bid and ask"}
              />
              <Reading name="Format" value={series.format} reason={formatColumns(series.columns)} />
              <Fact name="Digits">{series.digits}</Fact>
              <Fact name="From and to, UTC">
                {from === null || to === null ? "–" : `${shorten(from)} – ${shorten(to)}`}
              </Fact>
              <Fact name="Gaps while the market was open">{formatCount(series.gaps)}</Fact>
              <Fact name={series.file_count === 1 ? "File" : `${formatCount(series.file_count)} files`}>
                {series.files.join(", ")}
                {series.file_count > series.files.length && ", …"}
              </Fact>
            </dl>
            <Notes series={series} />
            {series.first_rows.length > 0 && (
              <Lines title={isImported ? "First rows as stored" : "First rows as they will be stored"}>
                {series.first_rows.map((row) => (
                  <li key={row}>{row}</li>
                ))}
              </Lines>
            )}
          </div>
        </div>
      </details>
    </li>
  );
}

const shorten = (iso: string) => iso.slice(0, 16).replace("T", " ");

function formatColumns(columns: SeriesSummary["columns"]): string {
  return Object.entries(columns)
    .map(([field, name]) => (field === name ? name : `${field} from “${name}”`))
    .join(", ");
}

/** How something is read, and what tells it. */
function Reading({ name, value, reason }: { name: string; value: string; reason: string }) {
  return (
    <Fact name={name}>
      {value}
      {reason !== "" && <span className="block text-xs12 text-faint">{reason}</span>}
    </Fact>
  );
}

function Notes({ series: { unused = [], assumptions, moved, without_volume } }: Pick<SeriesItemProps, "series">) {
  const notes = [
    ...(unused.length > 0 ? [`Columns that are not read: ${unused.join(", ")}.`] : []),
    ...assumptions.map((note) => `Assumed: ${note}`),
    ...(moved > 0 ? [`${formatCount(moved)} bars are moved back to their grid.`] : []),
    ...(without_volume > 0 ? [`${formatCount(without_volume)} bars have no volume; it counts as 0.`] : []),
  ];
  if (notes.length === 0) return null;
  return (
    <ul className="grid gap-1 text-dim">
      {notes.map((note) => (
        <li key={note}>{toPageWords(note)}</li>
      ))}
    </ul>
  );
}

/** The check of the zone by the weekly openings. */
function Check({ series: { check } }: Pick<SeriesItemProps, "series">) {
  if (check === null) return null;
  const { state, weekends, fitting, suggestions, hasOffsets, isEnd } = check;
  if (state === "unknown") {
    return (
      <p className="text-xs13 text-dim">
        The zone could not be checked: no weekly opening of its market is in the files.
      </p>
    );
  }
  const counted = `${formatCount(fitting)} of ${formatCount(weekends)} weekly openings and closes fit the market’s, Sunday to Friday 17:00 New York`;
  if (isEnd)
    return <Notice tone="error">{counted}. Is each bar stamped with its end? Then say so in “Time of a bar”.</Notice>;
  if (state === "fits") return <p className="text-xs13 text-dim">{counted}.</p>;
  if (suggestions.length === 0) return <Notice tone="error">{counted}; no common zone fits better.</Notice>;
  return (
    <Notice tone="error">
      {hasOffsets ? "Wrong offset?" : "Wrong zone?"} {counted}. Better {suggestions.length === 1 ? "fits" : "fit"}{" "}
      {suggestions.join(", or ")}.
    </Notice>
  );
}

function Errors({ series: { errors, error_count, file_count } }: Pick<SeriesItemProps, "series">) {
  if (error_count === 0) return null;
  return (
    <div className="grid gap-2">
      {errors.map(({ file, error }) => (
        <Notice key={file} tone="error">
          {file_count > 1 && !error.startsWith(file) ? `${file}: ` : ""}
          {toPageWords(error)}
        </Notice>
      ))}
      {error_count > errors.length && (
        <p className="text-xs13 text-dim">And {formatCount(error_count - errors.length)} more files.</p>
      )}
    </div>
  );
}

/** The rows that are left out, by reason, with the first of each. */
function Refusals({ series: { refused, file_count } }: Pick<SeriesItemProps, "series">) {
  const reasons = Object.entries(refused);
  if (reasons.length === 0) return null;
  return (
    <div className="grid gap-3 text-xs13">
      {reasons.map(([reason, { count, samples }]) => (
        <Lines
          key={reason}
          title={`${formatCount(count)} ${reason === "closed_hours" ? "left out" : "refused"}: they ${toPageWords(REFUSED_WORDS[reason as RefusedRow])}`}
        >
          {samples.map(({ file, line, row, expected }) => (
            <li key={`${file} ${line}`}>
              <span className="text-faint">
                {file_count > 1 ? `${file}, ` : ""}line {line}:{" "}
              </span>
              {row}
              {expected !== undefined && <span className="text-faint"> (expected {expected})</span>}
            </li>
          ))}
        </Lines>
      ))}
    </div>
  );
}

function Lines({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-1">
      <p className="text-dim">{title}</p>
      <ul className="numerals grid gap-0.5 text-xs12 [overflow-wrap:anywhere]">{children}</ul>
    </div>
  );
}

/** The files that are not imported, with the reasons. */
export function LeftOutList({ summary: { left_out, left_out_count } }: { summary: ImportSummary }) {
  if (left_out_count === 0) return null;
  const refused = left_out.filter(({ has_prices }) => has_prices);
  return (
    <section aria-labelledby="left-out-title" className="border-t border-line px-4 py-5">
      <h2 id="left-out-title" className="mb-2 font-medium">
        {left_out_count === 1 ? "1 file is left out" : `${formatCount(left_out_count)} files are left out`}
      </h2>
      <ul className="grid gap-2 text-xs13">
        {left_out.map(({ file, reason, has_prices }) => (
          <li key={file} className="[overflow-wrap:anywhere]">
            {has_prices ? (
              <Notice tone="error">{toPageWords(reason)}</Notice>
            ) : (
              <span className="text-dim">{reason}</span>
            )}
          </li>
        ))}
      </ul>
      {refused.length < left_out.length && (
        <p className="mt-2 text-xs12 text-faint">Files without a mark look like no files of prices.</p>
      )}
      {left_out_count > left_out.length && (
        <p className="mt-2 text-xs13 text-dim">And {formatCount(left_out_count - left_out.length)} more.</p>
      )}
    </section>
  );
}
