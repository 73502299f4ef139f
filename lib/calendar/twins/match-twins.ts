import type { CalendarEvent } from "@/lib/calendar/event";

export interface Twins {
  readonly primary: CalendarEvent;
  readonly secondary: CalendarEvent;
  /** Why they are taken for one release, in words for the operator. */
  readonly reason: string;
}

/** Pairs the rows of both streams that tell of the same release. `events` are all rows of one minute. */
export function matchTwins(events: readonly CalendarEvent[]): Twins[] {
  void events;
  return [];
}
