import { formatGap, formatRelease, isChosenRelease } from "@/lib/api/stream/other-changes";
import type { PastBar } from "@/lib/api/stream/past-prices";
import { NO_EXTRAS, type PastExtras } from "@/lib/api/stream/past-writer";
import type { StreamOptions } from "@/lib/api/stream/stream-options";
import type { PastRelease } from "@/lib/calendar/event-rows";
import type { SourceGap } from "@/lib/feeds/feed";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly readReleases: (afterMs: number, untilMs: number) => Promise<readonly PastRelease[]>;
  readonly readGaps: (afterMs: number, untilMs: number) => Promise<readonly SourceGap[]>;
  readonly marketNow: Clock;
  /** The end of the range, Unix time. */
  readonly to: number;
}

/** What was received at a moment. */
interface Timed {
  readonly atMs: number;
  readonly release?: PastRelease;
  readonly gap?: SourceGap;
}

/** Releases and gaps of so long are read at once. */
const READ_MS = DAY_MS;
/** What was received in the last moments may not be stored yet. */
const UNSETTLED_MS = 2 * SECOND_MS;
/** Figures of the calendar are released at most so long before or after their time; see other-changes.ts. */
const RELEASED_LATE_MS = 2 * DAY_MS;
const RELEASED_EARLY_MS = HOUR_MS;
const MAX_SENT = 50;

/** The releases and gaps of a range of the past, in the order of their receipt. */
export class PastOthers {
  /** The texts of the latest ones that were taken. */
  readonly sent: string[] = [];
  readonly #options: Options;
  #waiting: Timed[] = [];
  #knownUntil = -Infinity;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether everything that was received before a second was read. */
  isKnown(second: number): boolean {
    return second <= this.#knownUntil;
  }

  /** When the next one was received; Infinity if it was not read yet, or there is none. */
  get nextMs(): number {
    return Math.floor(this.#waiting[0]?.atMs ?? Infinity);
  }

  /** Reads what was received from a second on, at least up to another one. */
  async read(from: number, to: number): Promise<void> {
    const { marketNow, readReleases, readGaps, to: end } = this.#options;
    const begin = Math.max(from, this.#knownUntil);
    const settled = Math.floor((marketNow() - UNSETTLED_MS) / SECOND_MS);
    const until = Math.max(to, Math.min(begin + READ_MS / SECOND_MS, settled, end));
    if (until <= begin) return;
    const span = [begin * SECOND_MS - 1, until * SECOND_MS - 1] as const;
    const [releases, gaps] = await Promise.all([readReleases(...span), readGaps(...span)]);
    const added: Timed[] = [
      ...releases.map((release) => ({ atMs: release.atMs, release })),
      ...gaps.map((gap) => ({ atMs: gap.toMs, gap })),
    ];
    this.#waiting.push(...added.sort((a, b) => a.atMs - b.atMs));
    this.#knownUntil = until;
  }

  /** Takes what was received before a moment, of what a stream with these options has. */
  take(untilMs: number, { events, sources }: StreamOptions, bars: readonly PastBar[] = []): PastExtras {
    const texts = bars.map(formatBar);
    if ((this.#waiting[0]?.atMs ?? Infinity) >= untilMs)
      return texts.length === 0 ? NO_EXTRAS : { ...NO_EXTRAS, bars: texts };
    const releases: string[] = [];
    const gaps: string[] = [];
    while ((this.#waiting[0]?.atMs ?? Infinity) < untilMs) {
      const { release, gap } = this.#waiting.shift() as Timed;
      if (release !== undefined && events !== null) {
        const { event, atMs } = release;
        const isTimely = event.timeMs >= atMs - RELEASED_LATE_MS && event.timeMs <= atMs + RELEASED_EARLY_MS;
        const entry = { event, titleLower: "", twin: null, json: null, jsonWithoutActual: null };
        if (isTimely && isChosenRelease(event, events)) releases.push(formatRelease(entry));
      }
      if (gap !== undefined && (sources === null || sources === "all" || sources.has(gap.source)))
        gaps.push(formatGap(gap));
    }
    this.sent.push(...releases, ...gaps);
    this.sent.splice(0, this.sent.length - MAX_SENT);
    return { bars: texts, releases, gaps };
  }
}

function formatBar({ symbol, second, open, high, low, close, volume }: PastBar): string {
  const time = new Date(second * SECOND_MS).toISOString();
  return `{"symbol":"${symbol}","time":"${time}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}}`;
}
