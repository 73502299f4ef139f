import type { News } from "@/features/alerts/types";
import { SECOND_MS } from "@/lib/time/units";

const RETRY_MS = 15 * SECOND_MS;

interface Follower {
  /** `isFirst`: this tab received it from the server, and passes it on to the others. */
  onNews(news: News, isFirst: boolean): void;
  /** The session has ended; nothing more follows. */
  onSignedOut(): void;
}

/**
 * Follows what fires, also while the tab is hidden. One tab of the browser has the stream of the server and passes the
 * news on; when it closes, another one takes over. Where browsers have no locks, which need HTTPS, each visible tab has
 * a stream. Returns a function that ends it.
 */
export function followNews(accountId: string, { onNews, onSignedOut }: Follower): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const name = `spotline-alerts ${accountId}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<News>) => onNews(data, false);
  const stop = (): void => {
    stopping.abort();
    channel.close();
  };
  const lead = (): (() => void) =>
    openStream({
      onNews(news) {
        if (signal.aborted) return;
        onNews(news, true);
        channel.postMessage(news);
      },
      onSignedOut() {
        stop();
        onSignedOut();
      },
    });
  loadNews().then(
    (news) => news !== null && !signal.aborted && onNews(news, false),
    // The stream loads it again.
    () => {},
  );
  if ("locks" in navigator) {
    const hold = () =>
      new Promise<void>((resolve) => {
        const close = lead();
        signal.addEventListener("abort", () => {
          close();
          resolve();
        });
      });
    // Rejects when it is aborted before the lock is free.
    navigator.locks.request(name, { signal }, hold).catch(() => {});
  } else leadWhileVisible(lead, signal);
  return stop;
}

function leadWhileVisible(lead: () => () => void, signal: AbortSignal): void {
  let close: (() => void) | null = null;
  const update = (): void => {
    if (!document.hidden && !signal.aborted) close ??= lead();
    else {
      close?.();
      close = null;
    }
  };
  document.addEventListener("visibilitychange", update, { signal });
  signal.addEventListener("abort", update);
  update();
}

/** Opens the stream, and opens it again after it was lost. What fired in between is loaded. */
function openStream({ onNews, onSignedOut }: { onNews: (news: News) => void; onSignedOut: () => void }): () => void {
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function load(): Promise<void> {
    const news = await loadNews();
    if (news === null) onSignedOut();
    else onNews(news);
  }
  function open(): void {
    stream = new EventSource("/alerts/stream");
    stream.addEventListener("news", (event: MessageEvent<string>) => onNews(JSON.parse(event.data) as News));
    stream.addEventListener("ended", onSignedOut);
    stream.addEventListener("open", () => void load().catch(() => {}));
    stream.addEventListener("error", () => {
      stream?.close();
      clearTimeout(timer);
      timer = setTimeout(open, RETRY_MS);
      // Also where the server refuses another stream.
      load().catch(() => {});
    });
  }
  open();
  return () => {
    stream?.close();
    clearTimeout(timer);
  };
}

/** Returns null when the session has ended. */
async function loadNews(): Promise<News | null> {
  const answer = await fetch("/alerts/news", { cache: "no-store" });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as News;
}
