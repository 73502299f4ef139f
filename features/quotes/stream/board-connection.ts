import type { BoardSnapshot, BoardUpdate } from "@/features/quotes/types";

/**
 * "live": the stream runs. "polling": the board is fetched every two seconds while the stream is retried. "offline":
 * neither works.
 */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "polling" | "offline";

const POLL_MS = 2_000;
const POLL_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** The server sends at least every five seconds. After more than two missed messages the stream counts as lost. */
const SILENCE_MS = 12_000;

interface BoardConnection {
  onUpdate(update: BoardUpdate): void;
  /** Why the server refuses a stream, as a sentence; null if it does not. */
  onNote(note: string | null): void;
  onState(state: ConnectionState): void;
  /** The session has ended; no more updates follow. */
  onSignedOut(): void;
}

/** Keeps the board up to date over a stream, or by polling without one. Returns a function that stops it. */
export function connectBoard({ onUpdate, onNote, onState, onSignedOut }: BoardConnection): () => void {
  let stream: EventSource | undefined;
  let receivedAt = 0;
  let retries = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let pollTimer: ReturnType<typeof setTimeout> | undefined;
  let state: ConnectionState = "connecting";
  let stopped = false;

  function setState(next: ConnectionState): void {
    if (next === state || stopped) return;
    state = next;
    onState(next);
  }

  function openStream(): void {
    clearTimeout(retryTimer);
    stream?.close();
    stream = new EventSource("/quotes/stream");
    receivedAt = performance.now();
    stream.addEventListener("board", (event: MessageEvent<string>) => {
      receivedAt = performance.now();
      retries = 0;
      clearTimeout(pollTimer);
      pollTimer = undefined;
      setState("live");
      onNote(null);
      onUpdate(JSON.parse(event.data) as BoardUpdate);
    });
    stream.addEventListener("ended", signOut);
    // The browser's own reconnection has no back-off and gives up on an error status.
    stream.addEventListener("error", loseStream);
  }

  function loseStream(): void {
    stream?.close();
    stream = undefined;
    if (stopped) return;
    if (state === "live" || state === "connecting") setState("reconnecting");
    const pauseMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** retries++);
    clearTimeout(retryTimer);
    // A random delay, so that browsers do not all reconnect to a restarted server at once.
    retryTimer = setTimeout(openStream, pauseMs * (0.75 + Math.random() / 2));
    pollTimer ??= setTimeout(poll, 0);
  }

  async function poll(): Promise<void> {
    try {
      const update = await fetchSnapshot();
      if (update === null) return signOut();
      if (stopped || pollTimer === undefined) return;
      onUpdate(update);
      onNote(update.note ?? null);
      setState("polling");
    } catch {
      if (pollTimer !== undefined) setState("offline");
    }
    if (!stopped && pollTimer !== undefined) pollTimer = setTimeout(poll, POLL_MS);
  }

  function signOut(): void {
    if (stopped) return;
    stop();
    onSignedOut();
  }

  function goOffline(): void {
    loseStream();
    setState("offline");
  }

  const watchdog = setInterval(() => {
    if (stream && performance.now() - receivedAt > SILENCE_MS) loseStream();
  }, 1_000);

  function stop(): void {
    stopped = true;
    stream?.close();
    clearInterval(watchdog);
    clearTimeout(retryTimer);
    clearTimeout(pollTimer);
    pollTimer = undefined;
    removeEventListener("online", openStream);
    removeEventListener("offline", goOffline);
  }

  addEventListener("online", openStream);
  addEventListener("offline", goOffline);
  openStream();
  return stop;
}

/** Returns null when the session has ended. */
async function fetchSnapshot(): Promise<BoardSnapshot | null> {
  const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
  const answer = await fetch("/quotes/snapshot", { cache: "no-store", signal });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as BoardSnapshot;
}
