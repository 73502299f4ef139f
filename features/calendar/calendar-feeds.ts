import type { CalendarChoice } from "@/features/calendar/url";

/** What the addresses of an account's calendar feeds are made of. */
export interface CalendarFeeds {
  readonly address: string;
  readonly feeds: readonly CalendarFeed[];
}

interface CalendarFeed {
  /** The key's. */
  readonly id: string;
  readonly label: string;
  readonly token: string;
  readonly withActual: boolean;
}

/** The address of a feed with as much of a choice as it can say: it takes one impact, or all. */
export function toFeedAddress(address: string, { token }: CalendarFeed, choice: CalendarChoice): string {
  const params = new URLSearchParams();
  const { currencies, impacts, search } = choice;
  if (currencies.length > 0) params.set("currencies", currencies.join(","));
  if (impacts.length === 1) params.set("impact", impacts.join());
  if (search.trim() !== "") params.set("q", search.trim());
  params.set("token", token);
  return `${address}?${params.toString().replaceAll("%2C", ",")}`;
}
