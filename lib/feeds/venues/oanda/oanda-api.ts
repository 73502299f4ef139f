import { Pacer } from "@/lib/feeds/live/pacer";
import { describeRefusal } from "@/lib/feeds/live/web-socket-wire";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/** 120 requests a second are allowed, 100 on one connection are recommended. */
const MAX_REQUESTS_PER_SECOND = 100;
const TIMEOUT_MS = 10 * SECOND_MS;

export interface OandaAccess {
  /** The addresses of the REST API and of the stream, without a slash at their end. */
  readonly apiUrl: string;
  readonly streamUrl: string;
  readonly token: string;
  readonly account: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The parts of OANDA's REST API v20 that a feed needs (developer.oanda.com/rest-live-v20). */
export class OandaApi {
  readonly headers: Readonly<Record<string, string>>;
  readonly #access: OandaAccess;
  readonly #pacer: Pacer;
  readonly #accountPath: string;

  constructor(access: OandaAccess, monotonic: Clock) {
    this.headers = { Authorization: `Bearer ${access.token}`, "Accept-Datetime-Format": "RFC3339" };
    this.#access = access;
    this.#pacer = new Pacer(SECOND_MS / MAX_REQUESTS_PER_SECOND, monotonic);
    this.#accountPath = `/v3/accounts/${encodeURIComponent(access.account)}`;
  }

  getStreamUrl(instruments: readonly string[]): string {
    return `${this.#access.streamUrl}${this.#accountPath}/pricing/stream?${new URLSearchParams({ instruments: instruments.join(",") })}`;
  }

  /** The names of all instruments of the account, such as EUR_USD. */
  async listInstruments(signal: AbortSignal): Promise<string[]> {
    const { instruments } = await this.#get(`${this.#accountPath}/instruments`, signal);
    if (!Array.isArray(instruments)) throw new Error("the venue's list of instruments cannot be read");
    return (instruments as JsonObject[]).map(({ name }) => String(name));
  }

  /** Up to `count` (at most 5,000) candles of bid and ask of five seconds each, from a time on, oldest first. */
  async listCandles(instrument: string, fromMs: number, count: number, signal: AbortSignal): Promise<JsonObject[]> {
    const from = new Date(fromMs).toISOString();
    const query = new URLSearchParams({ price: "BA", granularity: "S5", from, count: String(count) });
    const { candles } = await this.#get(`/v3/instruments/${encodeURIComponent(instrument)}/candles?${query}`, signal);
    if (!Array.isArray(candles)) throw new Error("the venue's candles cannot be read");
    return candles as JsonObject[];
  }

  /** Throws a VenueError if the venue refuses. No error has the address, which contains the account. */
  async #get(path: string, signal: AbortSignal): Promise<JsonObject> {
    await this.#pacer.wait(signal);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const response = await fetch(`${this.#access.apiUrl}${path}`, {
        headers: this.headers,
        // The token is for this address only.
        redirect: "manual",
        signal: limit,
      });
      if (response.status === 200) return (await response.json()) as JsonObject;
      await response.body?.cancel();
      throw describeRefusal(response.status, response.headers.get("retry-after") ?? undefined);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw new Error(`no answer within ${TIMEOUT_MS} ms`);
      throw describeFailure(error);
    }
  }
}

function describeFailure(error: unknown): Error {
  const { cause } = error as Error;
  return cause instanceof Error ? new Error((cause as NodeJS.ErrnoException).code ?? cause.message) : (error as Error);
}
