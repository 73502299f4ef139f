"use client";

import { AlarmClock } from "lucide-react";
import { useEffect, useState } from "react";
import { FloatingNotice } from "@/components/shared/floating-notice";
import { notify, playSound } from "@/components/shared/notify";
import { Link } from "@/components/ui/link";
import type { News } from "@/features/alerts/types";
import { addNews, changeWatch, findShown, readWatch, useNews, useWatch } from "@/features/alerts/watch-store";
import { SECOND_MS } from "@/lib/time/units";

type Firing = News["firings"][number];

const MOST_SHOWN = 3;
const CHECK_MS = 15 * SECOND_MS;

/** Follows what fires, and shows it on every page. One tab gives the notifications of the browser. */
export function FiredNotices({ accountId }: { accountId: string }) {
  const { firings, nowMs: serverMs } = useNews(accountId);
  const state = useWatch();
  const nowMs = useServerTime(serverMs);
  useEffect(
    () =>
      followNews(accountId, {
        onNews(news, isFirst) {
          addNews(accountId, news);
          if (isFirst) giveNotifications(news);
        },
        // The page itself leads to sign-in with the next step.
        onSignedOut: () => {},
      }),
    [accountId],
  );
  const shown = findShown(firings, state, nowMs);
  const rest = shown.length - MOST_SHOWN;
  return (
    <div role="status" aria-label="Alerts" className="grid gap-2">
      {shown.slice(0, MOST_SHOWN).map((firing) => (
        <FiredNotice key={firing.id} firing={firing} />
      ))}
      {rest > 0 && (
        <Link
          href="/alerts"
          className="pointer-events-auto rounded-md border border-edge bg-raised px-3 py-2 text-xs13 text-accent-ink shadow-float hover:underline"
        >
          {rest === 1 ? "One more alert has fired" : `${rest} more alerts have fired`}
        </Link>
      )}
    </div>
  );
}

/** The server's time, which advances so that notices end; 0 before its first message. */
function useServerTime(serverMs: number): number {
  const [passed, setPassed] = useState({ serverMs, ms: 0 });
  useEffect(() => {
    if (serverMs === 0) return;
    const startedAt = performance.now();
    const timer = setInterval(() => setPassed({ serverMs, ms: performance.now() - startedAt }), CHECK_MS);
    return () => clearInterval(timer);
  }, [serverMs]);
  return serverMs + (passed.serverMs === serverMs ? passed.ms : 0);
}

/** Gives each firing once, also after a reload. */
function giveNotifications({ firings, nowMs }: News): void {
  const { isOn, hasSound, given } = readWatch();
  const fresh = findShown(firings, readWatch(), nowMs).filter(({ id }) => !(id in given));
  if (fresh.length === 0) return;
  const times = Object.fromEntries(fresh.map(({ id, atMs }) => [id, atMs]));
  changeWatch((before) => ({ ...before, given: { ...before.given, ...times } }));
  if (isOn) for (const firing of fresh) void notify(toNotification(firing));
  if (hasSound) playSound();
}

function toNotification({ id, alertId, alertName, message }: Firing) {
  return { title: alertName, body: message, tag: `spotline-alert-${id}`, href: `/alerts?alert=${alertId}` };
}

function FiredNotice({ firing: { id, alertId, alertName, message, atMs } }: { firing: Firing }) {
  const close = () => changeWatch((before) => ({ ...before, closed: { ...before.closed, [id]: atMs } }));
  return (
    <FloatingNotice
      Icon={AlarmClock}
      title={alertName}
      href={`/alerts?alert=${alertId}`}
      closeLabel={`Close the notice of ${alertName}`}
      onClose={close}
      isEmphasised
    >
      {message}
    </FloatingNotice>
  );
}

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
function followNews(accountId: string, { onNews, onSignedOut }: Follower): () => void {
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
