import type { CalendarChoice } from "@/features/calendar/url";

/** The address of the calendar feed, and the keys of an account that can read it. */
export interface CalendarFeeds {
  readonly address: string;
  readonly feeds: readonly CalendarFeed[];
}

interface CalendarFeed {
  /** Id of the key. */
  readonly id: string;
  readonly label: string;
  readonly token: string;
  readonly withActual: boolean;
}

/** Returns the URL of a feed with the filters of a choice. A feed filters by one impact or none. */
export function toFeedAddress(address: string, { token }: CalendarFeed, choice: CalendarChoice): string {
  const params = new URLSearchParams();
  const { currencies, impacts, search } = choice;
  if (currencies.length > 0) params.set("currencies", currencies.join(","));
  if (impacts.length === 1) params.set("impact", impacts.join());
  if (search.trim() !== "") params.set("q", search.trim());
  params.set("token", token);
  return `${address}?${params.toString().replaceAll("%2C", ",")}`;
}
