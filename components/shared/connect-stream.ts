/**
 * "live": the stream runs. "polling": messages are fetched every two seconds while the stream is retried. "offline":
 * neither works.
 */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "polling" | "offline";

const POLL_MS = 2_000;
const POLL_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** The server sends at least every five seconds. After more than two missed messages the stream counts as lost. */
const SILENCE_MS = 12_000;

interface StreamOptions<Message> {
  /** The address of the stream, and the name of its events. */
  readonly streamUrl: string;
  readonly eventName: string;
  /** The address of a whole message, for as long as there is no stream. */
  readonly pollUrl: string;
  onMessage(message: Message): void;
  onState(state: ConnectionState): void;
  /** The session has ended; nothing more follows. */
  onSignedOut(): void;
}

/**
 * Keeps a page up to date over a stream of server-sent events, or by polling without one. Rests while the tab is hidden.
 * Returns a function that stops it.
 */
export function connectStream<Message>(options: StreamOptions<Message>): () => void {
  const connection = new StreamConnection(options);
  connection.start();
  return () => connection.stop();
}

class StreamConnection<Message> {
  readonly #options: StreamOptions<Message>;
  readonly #stopping = new AbortController();
  #state: ConnectionState = "connecting";
  #stream: EventSource | undefined;
  #receivedAt = 0;
  #retries = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setInterval> | undefined;

  constructor(options: StreamOptions<Message>) {
    this.#options = options;
  }

  start(): void {
    const { signal } = this.#stopping;
    const open = () => this.#open();
    addEventListener("online", open, { signal });
    addEventListener("offline", () => this.#goOffline(), { signal });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#rest() : open()), { signal });
    this.#watchdog = setInterval(() => {
      if (this.#stream !== undefined && performance.now() - this.#receivedAt > SILENCE_MS) this.#lose();
    }, 1_000);
    open();
  }

  stop(): void {
    this.#stopping.abort();
    clearInterval(this.#watchdog);
    this.#rest();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #setState(next: ConnectionState): void {
    if (next === this.#state || this.#isStopped) return;
    this.#state = next;
    this.#options.onState(next);
  }

  #rest(): void {
    this.#stream?.close();
    this.#stream = undefined;
    clearTimeout(this.#retryTimer);
    this.#stopPolling();
  }

  #stopPolling(): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  #open(): void {
    clearTimeout(this.#retryTimer);
    this.#stream?.close();
    if (this.#isStopped || document.hidden) return;
    this.#receivedAt = performance.now();
    const { streamUrl, eventName } = this.#options;
    const stream = new EventSource(streamUrl);
    stream.addEventListener(eventName, (event: MessageEvent<string>) => this.#receive(event.data));
    stream.addEventListener("ended", () => this.#signOut());
    // The browser's own reconnection has no back-off and gives up on an error status.
    stream.addEventListener("error", () => this.#lose());
    this.#stream = stream;
  }

  #receive(data: string): void {
    this.#receivedAt = performance.now();
    this.#retries = 0;
    this.#stopPolling();
    this.#setState("live");
    this.#options.onMessage(JSON.parse(data) as Message);
  }

  #lose(): void {
    this.#stream?.close();
    this.#stream = undefined;
    if (this.#isStopped || document.hidden) return;
    if (this.#state === "live" || this.#state === "connecting") this.#setState("reconnecting");
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#open(), getRetryPause(this.#retries++));
    this.#pollTimer ??= setTimeout(() => void this.#poll(), 0);
  }

  async #poll(): Promise<void> {
    const { pollUrl, onMessage } = this.#options;
    try {
      const message = await fetchMessage<Message>(pollUrl);
      if (message === null) return this.#signOut();
      if (this.#pollTimer === undefined) return;
      onMessage(message);
      this.#setState("polling");
    } catch {
      if (this.#pollTimer !== undefined) this.#setState("offline");
    }
    if (this.#pollTimer !== undefined) this.#pollTimer = setTimeout(() => void this.#poll(), POLL_MS);
  }

  #signOut(): void {
    if (this.#isStopped) return;
    this.stop();
    this.#options.onSignedOut();
  }

  #goOffline(): void {
    this.#lose();
    this.#setState("offline");
  }
}

/** A longer pause after each failure, and a random one, so that browsers do not all reconnect to a server at once. */
function getRetryPause(retries: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** retries) * (0.75 + Math.random() / 2);
}

/** Returns null when the session has ended. */
async function fetchMessage<Message>(url: string): Promise<Message | null> {
  const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(POLL_TIMEOUT_MS) });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as Message;
}
