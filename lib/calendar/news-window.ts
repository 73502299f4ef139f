import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Times around releases in which many do not trade: from some minutes before an event until some minutes after it. The
 * windows of events that overlap, or follow each other without a pause, are one window.
 */

interface Timed {
  /** UTC milliseconds. */
  readonly timeMs: number;
}

/** The first moment of a window, and the first after it, UTC milliseconds. */
export interface NewsWindow<Event extends Timed> {
  readonly fromMs: number;
  readonly toMs: number;
  readonly events: readonly Event[];
}

export interface NewsMargins {
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** Joins the windows of some events, which are sorted by time. */
export function joinWindows<Event extends Timed>(
  events: readonly Event[],
  { beforeMs, afterMs }: NewsMargins,
): NewsWindow<Event>[] {
  const windows: { fromMs: number; toMs: number; events: Event[] }[] = [];
  for (const event of events) {
    const last = windows.at(-1);
    const [fromMs, toMs] = [event.timeMs - beforeMs, event.timeMs + afterMs];
    if (last === undefined || fromMs > last.toMs) {
      windows.push({ fromMs, toMs, events: [event] });
      continue;
    }
    last.events.push(event);
    last.toMs = toMs;
  }
  return windows;
}

/** Finds the window that a moment is in, and the next one; null for each that there is not. */
export function findWindows<Event extends Timed>(
  windows: readonly NewsWindow<Event>[],
  atMs: number,
): { readonly current: NewsWindow<Event> | null; readonly next: NewsWindow<Event> | null } {
  return {
    current: windows.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs) ?? null,
    next: windows.find(({ fromMs }) => fromMs > atMs) ?? null,
  };
}

/** Codes of prices that are not those of the calendar: the offshore yuan, and hundredths of currencies. */
const CALENDAR_CODES: Readonly<Record<string, string>> = { CNH: "CNY", GBX: "GBP", USX: "USD", ZAC: "ZAR", ILA: "ILS" };

/** The code under which a calendar lists the events of a currency. */
export function toCalendarCode(code: string): string {
  return CALENDAR_CODES[code] ?? code;
}

/** The window of the marks on pages, the default of /v1/calendar/window. */
export const MARK_MARGINS: NewsMargins = { beforeMs: 15 * MINUTE_MS, afterMs: 30 * MINUTE_MS };
/** How long before a release its mark is shown. */
export const MARK_LEAD_MS = HOUR_MS;
