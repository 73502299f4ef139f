import type { QuoteState } from "@/lib/book/freshness";
import { SOURCES } from "@/lib/runtime/metrics/describe-sources";
import type { Metric } from "@/lib/runtime/metrics/registry";
import { SECOND_MS } from "@/lib/time/units";

const QUOTE_STATES: readonly QuoteState[] = ["live", "delayed", "stale", "closed"];

/** The metrics of sources, quotes and recording. */
export function describeMarket(): readonly Metric[] {
  return [...SOURCES, ...QUOTES, ...RECORDER];
}

const QUOTES: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_quotes",
    help: "Symbols by the state of their served quote.",
    labels: ["state"],
    read: ({ quotes }) =>
      QUOTE_STATES.map((state) => [{ state }, quotes.filter((quote) => quote.state === state).length]),
  },
  {
    type: "gauge",
    name: "spotline_quote_age_seconds",
    help: "Age of the served quote of each symbol, by the time of its source.",
    labels: ["symbol"],
    read: ({ quotes, marketNowMs }) =>
      quotes.map(({ symbol, timeMs }) => [{ symbol }, Math.max(0, marketNowMs - timeMs) / SECOND_MS]),
  },
  {
    type: "gauge",
    name: "spotline_book_quotes",
    help: "Quotes in the book: one for each symbol and source.",
    read: ({ storedQuotes }) => storedQuotes,
  },
];

const RECORDER: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_recorder_active",
    help: "1 if this server records, 0 if it is a standby; absent where it follows another one.",
    read: ({ recorder }) => (recorder === null ? [] : [[{}, recorder.standbyFor === null ? 1 : 0]]),
  },
  {
    type: "gauge",
    name: "spotline_recorder_lag_seconds",
    help: "Seconds since everything was last written; on a standby, since the journal was last read.",
    read: ({ recorder }) => (recorder === null ? [] : [[{}, recorder.silenceMs / SECOND_MS]]),
  },
  {
    type: "counter",
    name: "spotline_recorder_seconds_total",
    help: "Seconds written, and prices that were not, by what became of them.",
    labels: ["outcome"],
    read: ({ recorder }) =>
      recorder === null
        ? []
        : [
            [{ outcome: "recorded" }, recorder.recorded],
            [{ outcome: "merged" }, recorder.merged],
            [{ outcome: "repeated" }, recorder.repeated],
            [{ outcome: "too_late" }, recorder.tooLate],
            [{ outcome: "dropped" }, recorder.dropped],
          ],
  },
];
