import type { Instrument } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { toPlainText } from "@/lib/text/text";
import { DAY_MS, MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/** Why rows of a file are not imported. */
export type RefusedRow =
  | "malformed"
  | "non_positive"
  | "crossed"
  | "far_off"
  | "too_precise"
  | "out_of_range"
  | "off_grid"
  | "ambiguous_time"
  | "no_such_time"
  | "closed_hours"
  | "too_recent"
  | "open_hour";

/** What is wrong with such rows: it goes on after their number. */
export const REFUSED_WORDS: Readonly<Record<RefusedRow, string>> = {
  malformed: "cannot be read",
  non_positive: "have a price that is not above zero",
  crossed: "have a bid above the ask, or a high and low that do not enclose open and close",
  far_off: "are far off the prices around them, or off the level of the symbol at that time; --as-is stores any level",
  too_precise: "have more than two digits beyond those of the symbol; --as-is stores them",
  out_of_range: "have a value that cannot be stored",
  off_grid: "are bars that do not begin on the grid of their timeframe; --align moves them back to it",
  ambiguous_time: "are ambiguous: clocks were set back, and the order of the rows does not tell the two hours apart",
  no_such_time: "have a time that the clocks of the zone skip",
  closed_hours: "are flat bars without volume while the market was closed",
  too_recent: "are of the current hour or later, which belongs to the recorder",
  open_hour: "are of an hour that the recorder is still filling, or that its clock has not reached",
};

export const GAP_MS = 10 * MINUTE_MS;

interface Refusals {
  count: number;
  /** The first rows, with their line. */
  readonly samples: { readonly line: number; readonly row: string; readonly expected?: string }[];
}

export interface ImportReport {
  /** Rows that were read, refused ones included. */
  rows: number;
  accepted: number;
  /** Rows that are new in the database. */
  added: number;
  firstMs: number | null;
  lastMs: number | null;
  refused: Partial<Record<RefusedRow, Refusals>>;
  /** Stretches without a row while the market was open, of `GAP_MS` and more. */
  gaps: { count: number; longest: { readonly fromMs: number; readonly toMs: number }[] };
  /** The first and last row around each weekend, in UTC milliseconds, as read with the file's zone. */
  weekends: { readonly lastMs: number; readonly firstMs: number }[];
  /** Bars that were moved to their grid, and bars whose volume the file leaves out. */
  moved: number;
  withoutVolume: number;
  /** The digits of the symbol's prices before its own raised them, and since. */
  raised?: { readonly from: number; readonly to: number };
  /** The first accepted rows, as they are stored. */
  first: string[];
  /** The version of the code that read the rows: a file that an earlier one has read is read again. */
  readonly reader: number;
}

/** Raised with every change of what rows of files mean. */
export const READER = 5;
const MAX_FIRST = 3;

/** Notes an accepted row, if it is one of the first. */
export function addFirst(report: ImportReport, timeMs: number, describe: () => string): void {
  if (report.first.length < MAX_FIRST) report.first.push(`${new Date(timeMs).toISOString()} ${describe()}`);
}

const LEAST_WEEKEND_MS = 1.5 * DAY_MS;
const MOST_WEEKEND_MS = 4 * DAY_MS;
const MAX_SAMPLES = 3;
const MAX_SAMPLE = 1_000;
const MAX_GAPS = 5;
const MAX_WEEKENDS = 300;

export function createReport(): ImportReport {
  return {
    rows: 0,
    accepted: 0,
    added: 0,
    firstMs: null,
    lastMs: null,
    refused: {},
    gaps: { count: 0, longest: [] },
    weekends: [],
    moved: 0,
    withoutVolume: 0,
    first: [],
    reader: READER,
  };
}

export function addRefusal(report: ImportReport, reason: RefusedRow, sample: Refusals["samples"][number]): void {
  const refusals = (report.refused[reason] ??= { count: 0, samples: [] });
  refusals.count++;
  const row = toPlainText(sample.row, MAX_SAMPLE);
  if (refusals.samples.length < MAX_SAMPLES) refusals.samples.push({ ...sample, row });
}

/** Whether a pause between two rows has the length of a weekend, also with a holiday before or after. */
export function isWeekend(lastMs: number, firstMs: number): boolean {
  return firstMs - lastMs > LEAST_WEEKEND_MS && firstMs - lastMs < MOST_WEEKEND_MS;
}

/** Collects what a report tells about the times of rows, in the order of the file. */
export class TimeObserver {
  readonly #report: ImportReport;
  readonly #instrument: Instrument;
  readonly #leastGapMs: number;
  #beforeMs: number;

  /** `stepMs` is the length of the file's bars; 0 for ticks. */
  constructor(report: ImportReport, instrument: Instrument, stepMs: number) {
    this.#report = report;
    this.#instrument = instrument;
    this.#leastGapMs = Math.max(GAP_MS, stepMs + MINUTE_MS);
    this.#beforeMs = report.lastMs ?? NaN;
  }

  observe(timeMs: number): void {
    const report = this.#report;
    report.accepted++;
    if (timeMs - this.#beforeMs > this.#leastGapMs) this.#addPause(this.#beforeMs, timeMs);
    this.#beforeMs = timeMs;
    if (report.firstMs === null || timeMs < report.firstMs) report.firstMs = timeMs;
    if (report.lastMs === null || timeMs > report.lastMs) report.lastMs = timeMs;
  }

  #addPause(fromMs: number, toMs: number): void {
    const { gaps, weekends } = this.#report;
    if (isWeekend(fromMs, toMs) && weekends.length < MAX_WEEKENDS) {
      weekends.push({ lastMs: fromMs, firstMs: toMs });
    }
    if (this.#countOpenMs(fromMs, toMs) < this.#leastGapMs) return;
    gaps.count++;
    gaps.longest.push({ fromMs, toMs });
    gaps.longest.sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs));
    gaps.longest.length = Math.min(gaps.longest.length, MAX_GAPS);
  }

  /** For how long the market was open, to the quarter of an hour. It stops counting at the length of a gap. */
  #countOpenMs(fromMs: number, toMs: number): number {
    const { tradingHours } = this.#instrument;
    let openMs = 0;
    for (let atMs = fromMs; atMs < toMs && openMs < this.#leastGapMs;) {
      const nextMs = Math.min(toMs, (Math.floor(atMs / QUARTER_HOUR_MS) + 1) * QUARTER_HOUR_MS);
      if (isMarketOpen(tradingHours, atMs)) openMs += nextMs - atMs;
      atMs = nextMs;
    }
    return openMs;
  }
}
