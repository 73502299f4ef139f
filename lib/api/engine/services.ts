import type { Accounts } from "@/lib/access/accounts/accounts";
import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Directory } from "@/lib/access/admission/directory";
import type { Windows } from "@/lib/access/admission/windows";
import type { ExportControl } from "@/lib/access/export-control";
import type { KeyLayouts } from "@/lib/access/keys/key-layouts";
import type { SignedIds } from "@/lib/access/keys/signed-ids";
import type { KeyUses } from "@/lib/access/notices/key-uses";
import type { RequestLog } from "@/lib/access/requests/request-log";
import type { Usage } from "@/lib/access/usage/usage";
import type { Alerts } from "@/lib/alerts/alerts";
import type { Webhooks } from "@/lib/alerts/webhooks";
import type { Heatmaps } from "@/lib/analytics/strength/heatmaps";
import type { Call } from "@/lib/api/engine/call";
import type { Cors } from "@/lib/api/engine/cors";
import type { Health } from "@/lib/api/service/health-check";
import type { SymbolGroup } from "@/lib/api/stream/price-changes";
import type { PriceStream, StreamOwner } from "@/lib/api/stream/price-stream";
import type { Replay } from "@/lib/api/stream/replay";
import type { StreamOptions } from "@/lib/api/stream/stream-options";
import type { Book } from "@/lib/book/book";
import type { Calendar } from "@/lib/calendar/calendar";
import type { EventStore } from "@/lib/calendar/event-store";
import type { ExportStore } from "@/lib/export/export-store";
import type { FileLinks } from "@/lib/export/file-links";
import type { TerminalId } from "@/lib/feeds/mt5/terminal";
import type { Terminals } from "@/lib/feeds/mt5/terminals";
import type { AsOf } from "@/lib/history/as-of/as-of";
import type { UnfilledGaps } from "@/lib/history/gaps/gap-rows";
import type { History } from "@/lib/history/history";
import type { Origins } from "@/lib/history/origins";
import type { QualityReader } from "@/lib/history/quality/quality-reader";
import type { RetentionDays } from "@/lib/history/retention";
import type { KeptRequest, KeptTimes, TapeRange, TapeRequest } from "@/lib/history/tapes/tape-history";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";
import type { Sessions } from "@/lib/market/sessions/sessions";
import type { Database } from "@/lib/platform/database/database";
import { isKnownHost } from "@/lib/platform/known-host";
import type { Logger } from "@/lib/platform/log/log";
import type { RequestLine } from "@/lib/platform/log/request-line";
import type { Clock } from "@/lib/platform/timing/clock";

/** Receives the prices that terminals push. */
interface TickIngest {
  /** The valid token with this secret. */
  findToken(secret: string): TerminalId | null;
  readonly accept: Terminals["accept"];
}

/** Everything that endpoints use. Each process builds it at its start: lib/runtime/services.ts. */
export interface Services {
  readonly log: Logger;
  /** Receives every answered call: for the log, the metrics and the traces. */
  readonly noteCall: (line: RequestLine) => void;
  /** The wall clock, for keys, limits and the log. */
  readonly now: Clock;
  /** The clock for the age of prices: the wall clock, except during a replay. */
  readonly marketNow: Clock;
  /** Whether the market clock is that of a recording. */
  readonly isInPast: boolean;
  /** The configured URL of the dashboard; null without one. */
  readonly url: string | null;
  /** The same without a slash at the end: "https://prices.example". Without a configured one it is on localhost. */
  readonly publicUrl: string;
  /** What pages of other sites may do. */
  readonly cors: Cors;
  readonly instruments: readonly Instrument[];
  readonly resolver: Resolver;
  /** The trading sessions, with the hours and holidays of this installation. */
  readonly sessions: Sessions;
  readonly book: Book;
  readonly calendar: Calendar;
  /** Stores the events of a source. The calendar shows them when the promise resolves. */
  readonly reportEvents: EventStore["report"];
  /** What a program that pushes events must send; null accepts no events. */
  readonly ingestToken: string | null;
  /** Receives what terminals push; null where no prices are received. */
  readonly terminals: TickIngest | null;
  /** The recorded ticks, bars and spreads. */
  readonly history: History;
  /** How complete the prices of each source are, and how they compare. */
  readonly quality: Pick<QualityReader, "readDay" | "readJudgedUntil">;
  /** Every stored tick of a symbol in a range of some hours. */
  readonly readTapes: (instrument: Instrument, range: TapeRequest) => Promise<TapeRange>;
  /** When the ticks of a symbol were stored. */
  readonly readKeptTimes: (instrument: Instrument, range: KeptRequest) => Promise<KeptTimes>;
  /** The market of the past. */
  readonly asOf: Pick<AsOf, "open" | "openEmpty" | "readHistory" | "changes" | "ticks" | "listSources">;
  /** Set in the services of a second of the past: its book may lack symbols of which bars are stored. */
  readonly isPast?: true;
  /** Which part of the history is simulated or replayed. */
  readonly origins: Pick<Origins, "findMode">;
  /** The gaps of the sources that are not filled. */
  readonly gaps: Pick<UnfilledGaps, "find" | "ended">;
  /** How long recorded data is retained, in days. */
  readonly keepDays: RetentionDays;
  readonly heatmaps: Heatmaps;
  readonly directory: Directory;
  /** The tokens of calendar feeds, which sign the id of a key. */
  readonly feedTokens: SignedIds;
  /** The tokens of links, which sign the id of a link. */
  readonly linkTokens: SignedIds;
  readonly usage: Usage;
  /** The calls of each key, for its owner. */
  readonly requestLog: Pick<RequestLog, "note">;
  /** Notes from where keys are used. */
  readonly keyUses: Pick<KeyUses, "accepted" | "refused">;
  readonly accounts: Pick<Accounts, "find">;
  readonly layouts: KeyLayouts;
  readonly alerts: Alerts;
  readonly webhooks: Webhooks;
  /** Exports of long ranges; `read` also finds those of other accounts. */
  readonly exports: ExportControl;
  readonly exportStore: ExportStore;
  /** The links to the files of exports. */
  readonly fileLinks: FileLinks;
  /** The database, for what only a few endpoints read. */
  readonly database: Pick<Database, "pool" | "kind">;
  /** Counts calls against their limits. */
  readonly windows: Windows;
  /** The open streams of prices; null where the host cannot keep a connection open. */
  readonly streams: Streams | null;
  /** The health of the server, at most a second old. */
  readHealth(): Health | Promise<Health>;
}

/** Opens streams of prices for calls. Each is reserved, then admitted, then opened or closed. */
interface Streams {
  /** Throws 429 TOO_MANY_STREAMS, or 503 while the server stops or its prices are too old. */
  reserve(key: KeyEntry): void | Promise<void>;
  admit(
    owner: StreamOwner,
    symbols: readonly string[] | SymbolGroup,
    chosen?: StreamOptions,
    replay?: Replay | null,
  ): PriceStream;
}

/**
 * The URL of this site for the caller, without a slash at its end: the configured one, else the host that the call was
 * sent to. Any host name may be in a call, so only those that the pages answer under are repeated.
 */
export function findPublicUrl(call: Pick<Call, "header">, { url, publicUrl }: Pick<Services, "url" | "publicUrl">) {
  const host = call.header("host") ?? null;
  return url === null && isKnownHost(host, null) ? new URL(`http://${host}`).origin : publicUrl;
}
