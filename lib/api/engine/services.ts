import type { Accounts } from "@/lib/access/accounts/accounts";
import type { Directory } from "@/lib/access/admission/directory";
import type { Windows } from "@/lib/access/admission/windows";
import type { FeedTokens } from "@/lib/access/keys/feed-token";
import type { KeyLayouts } from "@/lib/access/keys/key-layouts";
import type { Usage } from "@/lib/access/usage/usage";
import type { Heatmaps } from "@/lib/analytics/strength/heatmaps";
import type { Book } from "@/lib/book/book";
import type { Calendar } from "@/lib/calendar/calendar";
import type { EventStore } from "@/lib/calendar/event-store";
import type { FeedSource } from "@/lib/feeds/feed";
import type { History } from "@/lib/history/history";
import type { RetentionDays } from "@/lib/history/retention";
import type { Instrument } from "@/lib/market/instrument";
import type { Sessions } from "@/lib/market/sessions/sessions";
import type { Resolver } from "@/lib/market/symbols/resolver";
import type { Clock } from "@/lib/platform/clock";
import type { Logger, RequestLine } from "@/lib/platform/log";

/** Everything that endpoints use. Each process builds it at its start: lib/runtime/services.ts. */
export interface Services {
  readonly log: Logger;
  readonly logRequest: (line: RequestLine) => void;
  /** The wall clock, for keys, limits and the log. */
  readonly now: Clock;
  /** The clock for the age of prices: the wall clock, except during a replay. */
  readonly marketNow: Clock;
  /** The URL of the dashboard, without a slash at the end: "https://prices.example". */
  readonly publicUrl: string;
  readonly instruments: readonly Instrument[];
  readonly resolver: Resolver;
  /** The trading sessions, with the hours and holidays of this installation. */
  readonly sessions: Sessions;
  /** The sources of prices, most trusted first. */
  readonly sources: readonly FeedSource[];
  readonly book: Book;
  readonly calendar: Calendar;
  /** Stores the events of a source. The calendar shows them when the promise resolves. */
  readonly reportEvents: EventStore["report"];
  /** What a program that pushes events must send; null accepts no events. */
  readonly ingestToken: string | null;
  /** The recorded ticks, bars and spreads. */
  readonly history: History;
  /** How long recorded data is retained, in days. */
  readonly keepDays: RetentionDays;
  readonly heatmaps: Heatmaps;
  readonly directory: Directory;
  readonly feedTokens: FeedTokens;
  readonly usage: Usage;
  readonly accounts: Pick<Accounts, "find">;
  readonly layouts: KeyLayouts;
  /** Counts calls against their limits. */
  readonly windows: Windows;
  /** Resolves if the database answers; rejects within two seconds otherwise. */
  checkDatabase(): Promise<void>;
}
