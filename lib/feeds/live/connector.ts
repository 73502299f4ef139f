import type { SecureContextOptions } from "node:tls";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import type { Clock } from "@/lib/platform/timing/clock";

/**
 * A live feed is a wire, which moves bytes to and from a venue, and a protocol, which reads and writes the venue's
 * messages. Each connection has a new wire and a new protocol, so nothing of one connection is left in the next.
 */

/** Passes on what a venue says of its symbols. */
interface SymbolEvents {
  /**
   * Has the catalog take what it lacks of these symbols. Then, or if that fails or lasts too long, calls `then`, unless the
   * connection has ended. What `then` throws ends the connection.
   */
  symbols(facts: readonly SymbolFacts[], then: () => void): void;
}

/** What a wire reports. After `closed` it reports nothing. */
interface WireEvents extends SymbolEvents {
  /** The venue can be written to. */
  opened(): void;
  /** A whole message of a WebSocket, or the next bytes of a stream, which may begin and end anywhere. */
  received(data: string | Buffer): void;
  /** Something arrived that has no content, such as a WebSocket's ping. */
  alive(): void;
  closed(reason: Error): void;
}

export interface Wire {
  send(data: string | Buffer): void;
  /** Ends the connection at once. `closed` is not reported. */
  destroy(): void;
}

/** Starts to connect. Never throws: what fails is reported with `closed`. */
export type OpenWire = (events: WireEvents) => Wire;

/** What a protocol knows of its connection and reports of it. */
export interface Connection extends SymbolEvents {
  /** UTC milliseconds. */
  readonly now: Clock;
  send(data: string | Buffer): void;
  /** The venue accepted the subscription. Later failures count as new ones. */
  subscribed(detail?: string): void;
  /**
   * One price. `venueTimeMs` is the venue's time of it, UTC milliseconds; null where its messages have none, so that the
   * time of receipt counts. Not to be called for a snapshot without a time: nobody knows how old that price is.
   */
  price(venueSymbol: string, bid: number, ask: number, venueTimeMs: number | null): void;
  /** A problem that the connection survives, such as a symbol that the venue does not have. Logged. */
  warn(problem: string): void;
}

/** Reads one connection's messages. What it throws ends the connection; a VenueError says when to try again. */
export interface Protocol {
  /** Called once the venue can be written to, to log in and subscribe. */
  opened(): void;
  received(data: string | Buffer): void;
  /** Called every `everyMs` while the connection lasts: for messages that keep it open. */
  readonly keepAlive?: { readonly everyMs: number; send(): void };
  /** Called when the feed stops, to take leave of the venue. The connection ends at once afterwards. */
  stopping?(): void;
}

export type CreateProtocol = (connection: Connection) => Protocol;

/** The venue's own limits, which differ from venue to venue. */
export interface VenueTimes {
  /** A connection on which nothing arrives for this long is dead. Longer than two of the venue's heartbeats. */
  readonly silenceMs: number;
  /** The shortest pause before a new attempt, such that the venue's limit of connections holds. */
  readonly retryMs: number;
  /** The longest pause. */
  readonly maxRetryMs: number;
}

/** How TLS checks the venue; tests have a certificate of their own. */
export type TlsTrust = Pick<SecureContextOptions, "ca">;

/** Why a connection failed, where it matters for the next attempt. */
export class VenueError extends Error {
  /** The venue demands at least this pause, in milliseconds. */
  readonly retryAfterMs: number;
  /** Another attempt with the same settings can only fail, and might lock the account. */
  readonly isFinal: boolean;
  /** The HTTP status of a refusal; 0 for other failures. */
  readonly status: number;

  constructor(message: string, { retryAfterMs = 0, isFinal = false, status = 0 } = {}) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.isFinal = isFinal;
  }
}

/** Returns the object of a venue's JSON message. Throws if it is something else. */
export function readJson(text: string | Buffer): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text.toString());
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("a message is not an object");
  return value as Record<string, unknown>;
}

/** Returns a venue's price, which may be a number or digits in a string; NaN if it is neither. The intake refuses NaN. */
export function readPrice(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value !== "" ? Number(value) : NaN;
}

/**
 * Returns the UTC milliseconds of an ISO time with any number of decimals, rounded down; null if there is no time. Only
 * the first three decimals count.
 */
export function readTime(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const timeMs = Date.parse(value.replace(/(\.\d{3})\d+/, "$1"));
  return Number.isNaN(timeMs) ? null : timeMs;
}
