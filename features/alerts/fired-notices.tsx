"use client";

import { AlarmClock } from "lucide-react";
import { useEffect, useState } from "react";
import { FloatingNotice } from "@/components/shared/floating-notice";
import { followTopic } from "@/components/shared/live/follow-topic";
import { notify, playSound } from "@/components/shared/notify";
import { Link } from "@/components/ui/link";
import { useAddressAt } from "@/components/ui/past";
import type { News } from "@/features/alerts/types";
import { addNews, changeWatch, findShown, readWatch, useNews, useWatch } from "@/features/alerts/watch-store";
import { SECOND_MS } from "@/lib/time/units";

type Firing = News["firings"][number];

const MOST_SHOWN = 3;
const CHECK_MS = 15 * SECOND_MS;

/** Follows what fires, and shows it on every page. One window gives the notifications of the browser. */
export function FiredNotices({ accountId }: { accountId: string }) {
  const { firings, nowMs: serverMs } = useNews(accountId);
  const state = useWatch();
  const nowMs = useServerTime(serverMs);
  useEffect(
    () =>
      // Once the session has ended, the page itself leads to sign-in with the next step.
      followTopic(accountId, {
        topic: "alerts",
        whileHidden: true,
        onMessage(message, isFirst) {
          const news = message as News;
          // The server also sends when nothing has fired.
          if (news.firings.length === 0) return;
          addNews(accountId, news);
          if (isFirst) giveNotifications(news);
        },
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
  // A message has the price of its moment, which is later than what a page of the past shows.
  const isPast = useAddressAt() !== null;
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
      {isPast ? "It fired now, in the present. Open it to see its price." : message}
    </FloatingNotice>
  );
}
