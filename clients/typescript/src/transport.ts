import { ConnectionError, readApiError, SpotlineError, TimeoutError } from "./errors.js";
import { computeRetryDelay, RETRY_DEFAULTS, type RetryPolicy, sleep } from "./retry.js";

/** How a client reaches its server. */
export interface ClientOptions {
  /** Where the installation is: "https://prices.example". */
  readonly url: string;
  /** The secret of an API key. Calls that need no key work without. */
  readonly key?: string | undefined;
  /** How long one attempt may take, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** When a call is sent again: by default up to three times, for at most about a minute each. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Replaces the global fetch. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, also while it waits for its next attempt. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

/** A call as HTTP sends it. */
export interface HttpCall {
  readonly method: string;
  /** With its query: "/v1/quote?symbol=EURUSD". */
  readonly target: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A further status that is an answer and no failure. */
  readonly accepted?: number;
}

const TIMEOUT_MS = 30_000;

/** Sends calls: adds the key, limits the time, repeats what may be repeated. */
export class Transport {
  readonly retry: RetryPolicy;
  readonly #url: string;
  readonly #key: string | undefined;
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;

  constructor({ url, key, timeoutMs = TIMEOUT_MS, retry = {}, fetch: ownFetch }: ClientOptions) {
    if (!/^https?:\/\//.test(url)) throw new TypeError('url must be like "https://prices.example"');
    this.#url = url.replace(/\/+$/, "");
    this.#key = key;
    this.#timeoutMs = timeoutMs;
    this.retry = { ...RETRY_DEFAULTS, ...retry };
    this.#fetch = ownFetch ?? ((...request) => fetch(...request));
  }

  /** Sends a call and reads its answer. Throws an ApiError, a ConnectionError or the reason of the caller's signal. */
  async send(call: HttpCall, options: CallOptions = {}): Promise<{ response: Response; text: string }> {
    const retries = call.method === "GET" ? (options.retries ?? this.retry.retries) : 0;
    for (let retry = 0; ; retry++) {
      try {
        return await this.#attempt(call, options);
      } catch (failure) {
        const waitMs = retry < retries ? computeRetryDelay(failure, retry, this.retry, Math.random()) : null;
        if (waitMs === null) throw failure;
        await sleep(waitMs, options.signal);
      }
    }
  }

  async #attempt(call: HttpCall, { signal, timeoutMs = this.#timeoutMs }: CallOptions) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    return this.#explain(signal, async () => {
      try {
        const response = await this.#request(call, either);
        const text = await response.text();
        if (!response.ok && response.status !== call.accepted)
          throw readApiError(response.status, response.headers, text);
        return { response, text };
      } catch (error) {
        if (timeout.aborted) throw new TimeoutError(`No answer within ${timeoutMs} ms.`);
        throw error;
      }
    });
  }

  /** Opens an answer without an end: resolves with its head. The time limit is that of the head alone. */
  async open(call: HttpCall, signal: AbortSignal): Promise<Response> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#timeoutMs);
    try {
      return await this.#explain(signal, async () => {
        const response = await this.#request(call, AbortSignal.any([signal, timeout.signal]));
        if (!response.ok) throw readApiError(response.status, response.headers, await response.text());
        return response;
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #request({ method, target, body, headers }: HttpCall, signal: AbortSignal): Promise<Response> {
    return this.#fetch(this.#url + target, {
      method,
      headers: {
        Accept: "application/json, */*;q=0.5",
        ...(this.#key === undefined ? {} : { "X-API-Key": this.#key }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
      // A redirect would take the key to another server.
      redirect: "error",
    });
  }

  /** Turns the failures of fetch into a ConnectionError, but not the reason of the caller's own signal. */
  async #explain<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SpotlineError) throw error;
      throw new ConnectionError("The server could not be reached, or the connection was lost.", { cause: error });
    }
  }
}
