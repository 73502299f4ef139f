import { formatEventJson } from "@/lib/api/calendar/event-json";
import type { EventChoice } from "@/lib/api/stream/stream-options";
import type { Calendar } from "@/lib/calendar/calendar";
import type { Entry } from "@/lib/calendar/sorted-events";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Release {
  readonly at: number;
  readonly entry: Entry;
}

/** Events of this time around now are compared. */
const BACK_MS = 2 * DAY_MS;
const AHEAD_MS = HOUR_MS;
const MAX_EVENTS = 5_000;
const MAX_RELEASES = 200;
const PAUSE_MS = SECOND_MS / 2;

/** The latest released figures of the calendar, with their numbers in the sequence of all changes. */
export class Releases {
  readonly #calendar: Pick<Calendar, "query">;
  readonly #next: () => number;
  #recent: Release[] = [];
  /** The figure of each released event; null until they are first read, when none is new. */
  #figures: ReadonlyMap<string, string> | null = null;
  #readAtMs = -Infinity;
  #readers = 0;

  /** @param next gives the next number of the sequence */
  constructor(calendar: Pick<Calendar, "query">, next: () => number) {
    this.#calendar = calendar;
    this.#next = next;
  }

  addReader(nowMs: number): void {
    this.#readers++;
    this.#readAtMs = -Infinity;
    this.read(nowMs);
  }

  removeReader(): void {
    this.#readers--;
  }

  /** Finds the figures that are new or corrected since the last time. */
  read(nowMs: number): void {
    if (this.#readers === 0 || (nowMs >= this.#readAtMs && nowMs < this.#readAtMs + PAUSE_MS)) return;
    this.#readAtMs = nowMs;
    const { shown } = this.#calendar.query({
      ...{ fromMs: nowMs - BACK_MS, toMs: nowMs + AHEAD_MS, newestFirst: false, offset: 0, limit: MAX_EVENTS },
      ...{ currencies: null, impact: null, search: null, stream: "primary" },
    });
    const before = this.#figures;
    const figures = new Map<string, string>();
    for (const entry of shown) {
      const { id, actual } = entry.event;
      if (actual === null || actual === "") continue;
      figures.set(id, actual);
      if (before !== null && before.get(id) !== actual) this.#recent.push({ at: this.#next(), entry });
    }
    this.#figures = figures;
    if (this.#recent.length > MAX_RELEASES) this.#recent = this.#recent.slice(-MAX_RELEASES);
  }

  /** The chosen releases with a later number than `from`, as JSON with the fields of `/v1/calendar`, oldest first. */
  listSince(from: number, { impacts, currencies }: EventChoice): string[] {
    if ((this.#recent.at(-1)?.at ?? 0) <= from) return [];
    return this.#recent
      .filter(
        ({ at, entry: { event } }) =>
          at > from && (impacts?.has(event.impact) ?? true) && (currencies?.has(event.currency) ?? true),
      )
      .map(({ entry }) => formatEventJson(entry, true));
  }
}
