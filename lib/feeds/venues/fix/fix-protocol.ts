import type { Connection, Protocol } from "@/lib/feeds/live/connector";
import { MarketData } from "@/lib/feeds/venues/fix/market-data/market-data";
import type { RequestForm } from "@/lib/feeds/venues/fix/market-data/subscriptions";
import type { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { FixReader } from "@/lib/feeds/venues/fix/messages/fix-reader";
import { readFixTime } from "@/lib/feeds/venues/fix/messages/fix-time";
import { TAG, TYPE } from "@/lib/feeds/venues/fix/messages/tags";
import { FixSession } from "@/lib/feeds/venues/fix/session/fix-session";
import type { Parties } from "@/lib/feeds/venues/fix/session/outgoing";
import { SECOND_MS } from "@/lib/time/units";

/** What a connection needs to log on and subscribe. */
export interface FixRequest extends RequestForm, Parties {
  readonly user: string;
  readonly password: string;
  readonly heartbeatSeconds: number;
  /** Whether the logon sets both numberings back to 1 (141=Y). */
  readonly resetOnLogon: boolean;
  /** In the venue's spelling. */
  readonly symbols: readonly string[];
}

const TICK_MS = SECOND_MS / 2;
/** FIX does not acknowledge a request. One that was not refused for so long, or was answered with a price, stands. */
const ACCEPTED_MS = 5 * SECOND_MS;
/** Venues refuse messages whose time differs more, and prices would have a wrong age. */
const MAX_CLOCK_ERROR_MS = 5 * SECOND_MS;

/** Logs on to a FIX 4.4 session for market data and reads its prices. */
export class FixProtocol implements Protocol {
  readonly keepAlive = { everyMs: TICK_MS, send: () => this.#tick() };
  readonly #connection: Connection;
  readonly #request: FixRequest;
  readonly #reader = new FixReader();
  readonly #session: FixSession;
  readonly #marketData: MarketData;
  #loggedOnAtMs: number | null = null;
  #hasWarned = false;

  constructor(connection: Connection, request: FixRequest) {
    this.#connection = connection;
    this.#request = request;
    this.#marketData = new MarketData(connection, request, request.symbols);
    const events = {
      send: (bytes: Buffer) => connection.send(bytes),
      loggedOn: (logon: FixMessage) => this.#subscribe(logon),
      received: (message: FixMessage) => this.#marketData.receive(message),
      lost: () => this.#marketData.lost(),
    };
    this.#session = new FixSession(request, events, connection.now);
  }

  opened(): void {
    const { heartbeatSeconds, resetOnLogon, user, password } = this.#request;
    this.#session.send(TYPE.logon, [
      [TAG.encryptMethod, 0],
      [TAG.heartBtInt, heartbeatSeconds],
      ...(resetOnLogon ? [[TAG.resetSeqNumFlag, "Y"] as const] : []),
      [TAG.username, user],
      [TAG.password, password],
    ]);
  }

  received(data: string | Buffer): void {
    this.#reader.read(typeof data === "string" ? Buffer.from(data) : data, this.#receive);
    if (this.#reader.garbled === 0 || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#connection.warn("a message with a wrong length or checksum was ignored");
  }

  stopping(): void {
    this.#session.logOut();
  }

  readonly #receive = (message: FixMessage) => this.#session.receive(message);

  #subscribe(logon: FixMessage): void {
    const nowMs = this.#connection.now();
    this.#loggedOnAtMs = nowMs;
    const errorMs = (readFixTime(logon.get(TAG.sendingTime)) ?? nowMs) - nowMs;
    if (Math.abs(errorMs) > MAX_CLOCK_ERROR_MS) {
      this.#connection.warn(`the venue's clock differs from this one by ${Math.round(errorMs / SECOND_MS)} s`);
    }
    const intervalSeconds = logon.readInteger(TAG.heartBtInt);
    if (intervalSeconds > this.#request.heartbeatSeconds) {
      throw new Error(`the venue's heartbeats come every ${intervalSeconds} s; set heartbeatSeconds to that`);
    }
    this.#marketData.subscribe(this.#session);
  }

  #tick(): void {
    this.#session.tick();
    if (this.#loggedOnAtMs === null) return;
    this.#marketData.subscribe(this.#session);
    if (this.#connection.now() - this.#loggedOnAtMs >= ACCEPTED_MS) this.#connection.subscribed();
  }
}
