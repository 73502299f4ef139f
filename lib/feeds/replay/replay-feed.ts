import { setTimeout } from "node:timers/promises";
import type { Feed, FeedSink, FeedSource } from "@/lib/feeds/feed";
import type { RecordingProblem } from "@/lib/feeds/replay/recorded-series";
import { openRecording, type Recording } from "@/lib/feeds/replay/recording";
import { createReplayClock } from "@/lib/feeds/replay/replay-clock";
import { ReplayProblems } from "@/lib/feeds/replay/replay-problems";
import { listReplaySources } from "@/lib/feeds/replay/replay-sources";
import type { Clock } from "@/lib/platform/clock";
import { type Logger, silentLog } from "@/lib/platform/log";

interface ReplayOptions {
  readonly dir: string;
  /** IANA zone of each source's recording; sources without an entry use the format's zone. */
  readonly zones: Readonly<Record<string, string>>;
  /** Recorded milliseconds played in one millisecond. */
  readonly speed: number;
  /** "now": ticks are dated when they are played, and the recording repeats. "own": ticks keep their dates. */
  readonly time: "now" | "own";
  /** Where to start, UTC milliseconds; null or earlier than the recording: at its first tick. */
  readonly fromMs: number | null;
  readonly now: Clock;
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
/** Ticks sent without a pause: a few milliseconds of work, so that requests do not wait. */
const MAX_BATCH = 2_000;

/**
 * Creates a feed that plays recorded ticks of several brokers as if they arrived now, in time order and at any speed.
 * Files that cannot be read are reported while playing, and skipped.
 * @throws Error when the folder holds no recording or a zone is given for a source without one; RangeError for an
 * unknown zone.
 */
export function createReplayFeed(options: ReplayOptions): ReplayFeed {
  return new RecordedFeed(options);
}

class RecordedFeed implements ReplayFeed {
  readonly name = "replay";
  readonly sources: readonly FeedSource[];
  readonly marketNow: Clock = () => this.#marketNow();
  readonly #options: ReplayOptions;
  readonly #startMs: number;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #log: Logger;
  readonly #problems: ReplayProblems;
  #marketNow: Clock;
  #sink: FeedSink | null = null;
  #playing: Promise<void> = Promise.resolve();

  constructor(options: ReplayOptions) {
    const { dir, zones, time, now, sleep = setTimeout, log = silentLog } = options;
    this.sources = listReplaySources(dir, zones);
    const startMs = findStart(options);
    this.#options = options;
    this.#startMs = startMs;
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
    const { dir, zones, fromMs, speed, time } = this.#options;
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
    const { speed, time, now } = this.#options;
    const startMs = this.#startMs;
    const begunAtMs = now();
    const recordedNow = createReplayClock({ startMs, speed, now });
    if (time === "own") this.#marketNow = recordedNow;
    let played = 0;
    while (this.#sink !== null && recording.current !== undefined) {
      const dueMs = recordedNow();
      const receivedAtMs = time === "own" ? dueMs : now();
      let left = MAX_BATCH;
      for (let tick = recording.current; tick !== undefined && tick.timeMs <= dueMs; tick = recording.current) {
        if (this.#sink === null || left-- === 0) break;
        const { source, brokerSymbol, bid, ask, timeMs } = tick;
        const brokerTimeMs = time === "own" ? timeMs : Math.floor(begunAtMs + (timeMs - startMs) / speed);
        recording.next();
        played++;
        this.#sink.tick({ source, brokerSymbol, bid, ask, brokerTimeMs, receivedAtMs });
      }
      await this.#sleep(left < 0 ? 0 : BATCH_MS);
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

function findStart({ dir, zones, fromMs }: ReplayOptions): number {
  const firstMs = openRecording({ dir, zones }).current?.timeMs ?? 0;
  return Math.max(firstMs, fromMs ?? firstMs);
}
