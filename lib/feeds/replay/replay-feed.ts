import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import type { Feed, FeedSink, FeedSource } from "@/lib/feeds/feed";
import { defineFeedKind } from "@/lib/feeds/feed-kind";
import { listSeries } from "@/lib/feeds/replay/folders";
import type { RecordedSeries } from "@/lib/feeds/replay/recorded-series";
import { openRecording, type Recording, type RecordingProblem } from "@/lib/feeds/replay/recording";
import { type Logger, silentLog } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { toCivilTime } from "@/lib/time/civil-time";
import { HOUR_MS } from "@/lib/time/units";

interface ReplayOptions {
  readonly dir: string;
  /** IANA zone of each source's recording; sources without an entry use the format's zone. */
  readonly zones: Readonly<Record<string, string>>;
  /** Recorded milliseconds played in one millisecond: 1 with `time: "now"`. */
  readonly speed: number;
  /** "now": ticks are dated when they are played, and the recording repeats. "own": ticks keep their dates. */
  readonly time: "now" | "own";
  /** Where to start, UTC milliseconds; null or earlier than the recording: at its first tick. */
  readonly fromMs: number | null;
  /**
   * The newest stored second, UTC milliseconds. With `time: "own"` the recording continues there: if it started earlier,
   * answers would show what lies after its clock.
   */
  readonly storedUntilMs?: number | null;
  /** Dates the ticks with `time: "now"`. */
  readonly now: Clock;
  /** Paces the recording, so that setting the system clock neither holds it up nor makes it jump. */
  readonly monotonic: Clock;
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly log?: Logger;
}

export interface ReplayFeed extends Feed {
  /** The time of the played market: `now`, or with `time: "own"` the clock of the recording. */
  readonly marketNow: Clock;
  /** What could not be played so far. */
  skipped(): { readonly malformedRows: number; readonly damagedFiles: number };
}

const BATCH_MS = 25;
/** Ticks that are dated now follow the clock when it was set by more than this. */
const MAX_CORRECTION_MS = 1_000;
/** Ticks sent without a pause: a few milliseconds of work, so that requests do not wait. */
const MAX_BATCH = 2_000;

/**
 * Creates a feed that plays recorded ticks of several brokers as if they arrived now, in time order, and with
 * `time: "own"` at any speed. Files that cannot be read are reported while playing, and skipped.
 * @throws Error when the folder holds no recording, a zone is given for a source without one, prices are stored that are
 * newer than the recording, or the speed would change which broker is served; RangeError for an unknown zone.
 */
export function createReplayFeed(options: ReplayOptions): ReplayFeed {
  const { time, speed } = options;
  if (time === "now" && speed !== 1) {
    throw new Error(
      `A replay with SPOTLINE_REPLAY_TIME=now has speed 1, not ${speed}: at another speed a broker's pauses would have ` +
        "another length, and another broker would be served. Set SPOTLINE_REPLAY_TIME=own, or SPOTLINE_REPLAY_SPEED=1.",
    );
  }
  return new RecordedFeed(options);
}

class RecordedFeed implements ReplayFeed {
  readonly name = "replay";
  readonly sources: readonly FeedSource[];
  readonly symbols: readonly string[];
  readonly marketNow: Clock = () => this.#marketNow();
  readonly ownClock: Clock | undefined;
  readonly #options: ReplayOptions;
  readonly #startMs: number;
  readonly #isFromFirst: boolean;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #log: Logger;
  readonly #problems: ReplayProblems;
  #marketNow: Clock;
  /** The time of the tick that is being sent, or is next: UTC milliseconds. */
  #nextMs = Infinity;
  #sink: FeedSink | null = null;
  #playing: Promise<void> = Promise.resolve();

  constructor(options: ReplayOptions) {
    const { dir, zones, time, now, sleep = setTimeout, log = silentLog } = options;
    const series = listSeries(dir);
    this.sources = listReplaySources(series, dir, zones);
    this.symbols = [...new Set(series.map(({ brokerSymbol }) => brokerSymbol))];
    this.ownClock = time === "own" ? this.marketNow : undefined;
    const firstMs = openRecording({ dir, zones }).current?.timeMs ?? 0;
    const startMs = findStart(options, firstMs);
    this.#options = options;
    this.#startMs = startMs;
    this.#isFromFirst = startMs === firstMs;
    this.#sleep = sleep;
    this.#log = log;
    this.#problems = new ReplayProblems(log);
    this.#marketNow = time === "own" ? () => startMs : now;
  }

  skipped() {
    return this.#problems.counts;
  }

  async start(sink: FeedSink): Promise<void> {
    this.#sink = sink;
    this.#playing = this.#play();
  }

  async stop(): Promise<void> {
    this.#sink = null;
    await this.#playing;
  }

  async #play(): Promise<void> {
    const { dir, zones, speed, time } = this.#options;
    const fromMs = this.#isFromFirst ? null : this.#startMs;
    const onProblem = (problem: RecordingProblem) => this.#onProblem(problem);
    let played: number;
    try {
      do {
        this.#reportStatus("connected", `recording from ${new Date(this.#startMs).toISOString()} at speed ${speed}`);
        played = await this.#playOnce(openRecording({ dir, zones, fromMs, onProblem }));
      } while (this.#sink !== null && time === "now" && played > 0);
      this.#reportStatus("ended", "end of the recording");
    } catch (error) {
      this.#log.error({ err: error }, "The recording cannot be played any further");
      this.#reportStatus("ended", "the recording could not be played any further");
    }
  }

  /** Returns the number of ticks played. */
  async #playOnce(recording: Recording): Promise<number> {
    const { speed, time, now, monotonic } = this.#options;
    const startMs = this.#startMs;
    const isOwn = time === "own";
    const begunAtMs = monotonic();
    let offsetMs = now() - begunAtMs;
    const recordedNow = createReplayClock({ startMs, speed, monotonic });
    // The clock waits for ticks that are late, so no price is judged by a moment after it.
    if (isOwn) this.#marketNow = () => Math.min(recordedNow(), this.#nextMs);
    let played = 0;
    let hourEndMs = Infinity;
    while (this.#sink !== null && recording.current !== undefined) {
      const dueMs = recordedNow();
      if (Math.abs(now() - monotonic() - offsetMs) > MAX_CORRECTION_MS) offsetMs = now() - monotonic();
      let left = MAX_BATCH;
      for (let tick = recording.current; tick !== undefined && tick.timeMs <= dueMs; tick = recording.current) {
        if (this.#sink === null || left-- === 0) break;
        const { source, brokerSymbol, bid, ask, timeMs } = tick;
        if (isOwn && timeMs >= hourEndMs) break;
        if (hourEndMs === Infinity) hourEndMs = getHourEnd(timeMs);
        this.#nextMs = timeMs;
        const brokerTimeMs = isOwn ? timeMs : Math.floor(begunAtMs + offsetMs + timeMs - startMs);
        recording.next();
        played++;
        this.#sink.tick({ source, brokerSymbol, bid, ask, brokerTimeMs, receivedAtMs: isOwn ? timeMs : now() });
      }
      this.#nextMs = recording.current?.timeMs ?? Infinity;
      if (isOwn && this.#nextMs >= hourEndMs && this.#nextMs <= dueMs) {
        hourEndMs = Infinity;
        await this.#sink?.stored?.();
      } else {
        await this.#sleep(left < 0 ? 0 : BATCH_MS);
      }
    }
    return played;
  }

  #onProblem(problem: RecordingProblem): void {
    const detail = this.#problems.report(problem);
    if (detail !== null) this.#sink?.status(problem.source, "connected", detail);
  }

  #reportStatus(status: "connected" | "ended", detail: string): void {
    for (const { name } of this.sources) this.#sink?.status(name, status, detail);
  }
}

function getHourEnd(timeMs: number): number {
  return (Math.floor(timeMs / HOUR_MS) + 1) * HOUR_MS;
}

function findStart({ dir, zones, fromMs, time, storedUntilMs = null }: ReplayOptions, firstMs: number): number {
  const startMs = Math.max(firstMs, fromMs ?? firstMs);
  if (time === "now" || storedUntilMs === null || storedUntilMs <= startMs) return startMs;
  // The end of a recording that was played whole lies in the newest stored hour.
  if (openRecording({ dir, zones, fromMs: storedUntilMs - HOUR_MS }).current === undefined) {
    const stored = new Date(storedUntilMs).toISOString();
    throw new Error(
      `The database has prices up to ${stored}, after the end of the recording. A replay with SPOTLINE_REPLAY_TIME=own ` +
        "does not go back, because answers would show its future: use an empty data folder or database.",
    );
  }
  return storedUntilMs;
}

interface ReplayClockOptions {
  /** The moment in the recording at which the clock begins, UTC milliseconds. */
  readonly startMs: number;
  /** Recorded milliseconds that pass in one millisecond of `monotonic`. */
  readonly speed: number;
  readonly monotonic: Clock;
}

/** The market clock of a recording that is played with its own times: `startMs` when created, then runs at `speed`. */
function createReplayClock({ startMs, speed, monotonic }: ReplayClockOptions): Clock {
  const begunAtMs = monotonic();
  return () => Math.floor(startMs + (monotonic() - begunAtMs) * speed);
}

export const replayKind = defineFeedKind({
  kind: "replay",
  sources: "several",
  isFallback: false,
  settings: {
    // Checked with the other settings, before the database starts.
    dir: z
      .string()
      .min(1)
      .refine(existsSync, { error: ({ input }) => `there is no folder ${String(input)}` }),
    /** IANA zones by source: Etc/GMT+5 is a fixed UTC−5. */
    zones: z.record(z.string(), z.string()).optional(),
    speed: z.number().min(0.01).max(100_000).optional(),
    time: z.enum(["now", "own"]).optional(),
    from: z.iso.datetime({ offset: true, error: "must be like 2014-05-02T12:00:00Z" }).optional(),
  },
  secrets: {},
  create({ settings: { dir, zones = {}, speed = 1, time = "now", from }, now, monotonic, storedUntilMs, log }) {
    const fromMs = from === undefined ? null : Date.parse(from);
    return createReplayFeed({ dir, zones, speed, time, fromMs, storedUntilMs, now, monotonic, log });
  },
});

/** Counts and logs the recorded files that could not be played in full. */
class ReplayProblems {
  readonly #log: Logger;
  readonly #reported = new Set<string>();
  #malformedRows = 0;
  #damagedFiles = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get counts() {
    return { malformedRows: this.#malformedRows, damagedFiles: this.#damagedFiles };
  }

  /** Returns a description of the problem; null for a file reported before, which a repeated recording reads again. */
  report({ source, path, malformedRows, error }: RecordingProblem): string | null {
    if (this.#reported.has(path)) return null;
    this.#reported.add(path);
    this.#malformedRows += malformedRows;
    if (error !== null) this.#damagedFiles++;
    this.#log.warn({ source, path, malformedRows, err: error }, "A recorded file could not be played in full");
    return error === null
      ? `${path}: ${malformedRows} malformed rows`
      : `${path}: ${error.message}; the rest of it is skipped`;
  }
}

/**
 * Returns the brokers of a folder of recordings.
 * @throws Error when the folder holds no recording or a zone is given for a source without one; RangeError for an
 * unknown zone.
 */
function listReplaySources(
  series: readonly RecordedSeries[],
  dir: string,
  zones: Readonly<Record<string, string>>,
): FeedSource[] {
  const names = [...new Set(series.map(({ source }) => source))];
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
