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
  /** The wall clock, which keys, limits and the log live by. */
  readonly now: Clock;
  /** The clock that prices are aged by: the wall clock, but for a recording replayed at its own time. */
  readonly marketNow: Clock;
  /** Where people reach the dashboard, without a slash at the end: "https://prices.example". */
  readonly publicUrl: string;
  readonly instruments: readonly Instrument[];
  readonly resolver: Resolver;
  /** The trading sessions, by the hours and holidays of this installation. */
  readonly sessions: Sessions;
  /** Every source that quotes, most trusted first, and where its prices come from. */
  readonly sources: readonly FeedSource[];
  readonly book: Book;
  readonly calendar: Calendar;
  /** Stores the events of a source. The calendar shows them when the promise resolves. */
  readonly reportEvents: EventStore["report"];
  /** What a program that pushes events must send; null accepts no events. */
  readonly ingestToken: string | null;
  /** What was recorded. */
  readonly history: History;
  /** How long what was recorded is kept. */
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
