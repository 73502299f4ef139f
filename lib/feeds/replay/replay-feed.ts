import { setTimeout } from "node:timers/promises";
import type { Feed, FeedSink, FeedSource } from "@/lib/feeds/feed";
import { listSeries } from "@/lib/feeds/replay/list-series";
import type { RecordingProblem } from "@/lib/feeds/replay/recorded-series";
import { openRecording, type Recording } from "@/lib/feeds/replay/recording";
import { createReplayClock } from "@/lib/feeds/replay/replay-clock";
import type { Clock } from "@/lib/platform/clock";
import { type Logger, silentLog } from "@/lib/platform/log";
import { toCivilTime } from "@/lib/time/civil-time";

/**
 * Plays recorded ticks of several brokers as if they arrived now, in time order and at any speed. With `time: "now"`
 * they are re-dated to the moment they are played, and the recording starts over at its end, so that a demonstration
 * goes on; with `time: "own"` they keep their dates, the market clock is the recording's, and the end is the end.
 */

interface ReplayOptions {
  readonly dir: string;
  /** IANA zone of each source's recording; the format's own where none is given. */
  readonly zones: Readonly<Record<string, string>>;
  /** Recorded milliseconds played in one millisecond. */
  readonly speed: number;
  readonly time: "now" | "own";
  /** Starts here, UTC milliseconds; null or before the recording: at its first tick. */
  readonly fromMs: number | null;
  readonly now: Clock;
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly log?: Logger;
}

export interface ReplayFeed extends Feed {
  /** What time the played market believes it is: `now`, or with `time: "own"` the recording's own clock. */
  readonly marketNow: Clock;
  /** What could not be played so far. */
  skipped(): { readonly malformedRows: number; readonly damagedFiles: number };
}

const BATCH_MS = 25;
/** Ticks handed over without a pause: a few milliseconds' work, so that requests are not kept waiting. */
const LARGEST_BATCH = 2_000;

/**
 * @throws Error when the folder holds no recording or a zone is given for a source without one; RangeError for an
 * unknown zone. Files that cannot be read are reported while playing, and passed over.
 */
export function createReplayFeed(options: ReplayOptions): ReplayFeed {
  const { dir, zones, speed, time, fromMs, now, sleep = setTimeout, log = silentLog } = options;
  const sources = listSources(dir, zones);
  const startMs = findStart(options);
  const skipped = { malformedRows: 0, damagedFiles: 0 };
  const reported = new Set<string>();
  let marketNow: Clock = time === "own" ? () => startMs : now;
  let sink: FeedSink | null = null;
  let playing: Promise<void> = Promise.resolve();

  function onProblem({ source, path, malformedRows, error }: RecordingProblem) {
    // A recording that starts over meets the same file again; it is no news then.
    if (reported.has(path)) return;
    reported.add(path);
    skipped.malformedRows += malformedRows;
    if (error !== null) skipped.damagedFiles++;
    log.warn({ source, path, malformedRows, err: error }, "A recorded file could not be played in full");
    const rows = `${malformedRows} malformed rows`;
    const detail = error === null ? `${path}: ${rows}` : `${path}: ${error.message}; the rest of it is skipped`;
    sink?.status(source, "connected", detail);
  }

  async function play() {
    let played: number;
    try {
      do {
        tellAll("connected", `recording from ${new Date(startMs).toISOString()} at speed ${speed}`);
        played = await playOnce(openRecording({ dir, zones, fromMs, onProblem }));
      } while (sink !== null && time === "now" && played > 0);
      tellAll("ended", "end of the recording");
    } catch (error) {
      log.error({ err: error }, "The recording cannot be played any further");
      tellAll("ended", "the recording could not be played any further");
    }
  }

  /** Returns how many ticks were played. */
  async function playOnce(recording: Recording): Promise<number> {
    const begunAtMs = now();
    const recordedNow = createReplayClock({ startMs, speed, now });
    if (time === "own") marketNow = recordedNow;
    let played = 0;
    while (sink !== null && recording.current !== undefined) {
      const dueMs = recordedNow();
      const receivedAtMs = time === "own" ? dueMs : now();
      let left = LARGEST_BATCH;
      for (let tick = recording.current; tick !== undefined && tick.timeMs <= dueMs; tick = recording.current) {
        if (sink === null || left-- === 0) break;
        const { source, brokerSymbol, bid, ask, timeMs } = tick;
        const brokerTimeMs = time === "own" ? timeMs : Math.floor(begunAtMs + (timeMs - startMs) / speed);
        recording.next();
        played++;
        sink.tick({ source, brokerSymbol, bid, ask, brokerTimeMs, receivedAtMs });
      }
      await sleep(left < 0 ? 0 : BATCH_MS);
    }
    return played;
  }

  function tellAll(status: "connected" | "ended", detail: string) {
    for (const source of sources) sink?.status(source.name, status, detail);
  }

  return {
    name: "replay",
    sources,
    marketNow: () => marketNow(),
    skipped: () => ({ ...skipped }),
    async start(to) {
      sink = to;
      playing = play();
    },
    async stop() {
      sink = null;
      await playing;
    },
  };
}

function listSources(dir: string, zones: Readonly<Record<string, string>>): FeedSource[] {
  const names = [...new Set(listSeries(dir).map((series) => series.source))];
  if (names.length === 0) {
    const layouts = "<class>/<broker>/tick/<symbol>/<yyyymmdd>_quote.zip, <broker>/<symbol>/*.csv or bi5 files";
    throw new Error(`No recorded ticks in ${dir}: expected ${layouts}`);
  }
  for (const [source, zone] of Object.entries(zones)) {
    if (!names.includes(source))
      throw new Error(`A time zone is given for "${source}", which has no recording in ${dir}`);
    toCivilTime(zone, 0);
  }
  return names.map((name) => ({ name, mode: "replay" }));
}

function findStart({ dir, zones, fromMs }: ReplayOptions): number {
  const firstMs = openRecording({ dir, zones }).current?.timeMs ?? 0;
  return Math.max(firstMs, fromMs ?? firstMs);
}
