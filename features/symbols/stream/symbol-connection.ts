import type { LiveSymbol } from "@/features/symbols/types";

/**
 * "live": the stream runs. "polling": there is no stream, and the prices are fetched every two seconds. "offline":
 * neither works.
 */
export type ConnectionState = "connecting" | "live" | "polling" | "offline";

const POLL_MS = 2_000;
const POLL_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** The server sends at least every five seconds. After more than two missed messages the stream counts as lost. */
const SILENCE_MS = 12_000;

interface SymbolConnection {
  readonly symbol: string;
  /** The timeframe and the compared symbol. */
  readonly query: URLSearchParams;
  onLive(live: LiveSymbol): void;
  onState(state: ConnectionState): void;
  /** The session has ended; nothing more follows. */
  onSignedOut(): void;
}

/**
 * Keeps the prices of one symbol up to date over a stream, or by polling without one. Rests while the tab is hidden.
 * Returns a function that stops it.
 */
export function connectSymbol({ symbol, query, onLive, onState, onSignedOut }: SymbolConnection): () => void {
  let stream: EventSource | undefined;
  let receivedAt = 0;
  let retries = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let pollTimer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  function rest(): void {
    stream?.close();
    stream = undefined;
    clearTimeout(retryTimer);
    clearTimeout(pollTimer);
    pollTimer = undefined;
  }

  function openStream(): void {
    clearTimeout(retryTimer);
    stream?.close();
    if (stopped || document.hidden) return;
    stream = new EventSource(`/symbols/${symbol}/stream?${query}`);
    receivedAt = performance.now();
    stream.addEventListener("symbol", (event: MessageEvent<string>) => {
      receivedAt = performance.now();
      retries = 0;
      clearTimeout(pollTimer);
      pollTimer = undefined;
      onState("live");
      onLive(JSON.parse(event.data) as LiveSymbol);
    });
    stream.addEventListener("ended", signOut);
    // The browser's own reconnection has no back-off and gives up on an error status.
    stream.addEventListener("error", loseStream);
  }

  function loseStream(): void {
    stream?.close();
    stream = undefined;
    if (stopped || document.hidden) return;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(openStream, getRetryPause(retries++));
    pollTimer ??= setTimeout(poll, 0);
  }

  async function poll(): Promise<void> {
    try {
      const live = await fetchLive(`/symbols/${symbol}/live?${query}`);
      if (live === null) return signOut();
      if (stopped || pollTimer === undefined) return;
      onState("polling");
      onLive(live);
    } catch {
      if (!stopped && pollTimer !== undefined) onState("offline");
    }
    if (!stopped && pollTimer !== undefined) pollTimer = setTimeout(poll, POLL_MS);
  }

  function signOut(): void {
    if (stopped) return;
    stop();
    onSignedOut();
  }

  const followVisibility = () => (document.hidden ? rest() : openStream());

  function goOffline(): void {
    loseStream();
    onState("offline");
  }

  const watchdog = setInterval(() => {
    if (stream !== undefined && performance.now() - receivedAt > SILENCE_MS) loseStream();
  }, 1_000);

  function stop(): void {
    stopped = true;
    rest();
    clearInterval(watchdog);
    removeEventListener("online", openStream);
    removeEventListener("offline", goOffline);
    document.removeEventListener("visibilitychange", followVisibility);
  }

  addEventListener("online", openStream);
  addEventListener("offline", goOffline);
  document.addEventListener("visibilitychange", followVisibility);
  openStream();
  return stop;
}

/** A longer pause after each failure, and a random one, so that browsers do not all reconnect to a server at once. */
function getRetryPause(retries: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** retries) * (0.75 + Math.random() / 2);
}

/** Returns null when the session has ended. */
async function fetchLive(url: string): Promise<LiveSymbol | null> {
  const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(POLL_TIMEOUT_MS) });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as LiveSymbol;
}
