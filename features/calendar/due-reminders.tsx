"use client";

import { BellRing } from "lucide-react";
import { useEffect, useState } from "react";
import { FloatingNotice } from "@/components/shared/floating-notice";
import { notify, playSound } from "@/components/shared/notify";
import { Figure } from "@/components/ui/figure";
import { useFresh } from "@/components/ui/use-fresh";
import { changeReminders, readReminders, useReminders } from "@/features/calendar/reminder-store";
import { findDue } from "@/features/calendar/reminders";
import type { PageEvent, UpcomingData } from "@/features/calendar/types";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const CHECK_MS = 5 * SECOND_MS;

/** Polls the events of the next hour, and shows a notice five minutes before those with a reminder. */
export function DueReminders() {
  const { data } = useFresh<UpcomingData>("/calendar/upcoming", MINUTE_MS);
  const reminders = useReminders();
  const nowMs = useNow(data?.nowMs);
  const due = data === undefined || nowMs === null ? [] : findDue(data.events, reminders, nowMs);
  const ids = due.map(({ id }) => id).join();
  useEffect(() => {
    if (nowMs !== null) giveReminders(due, nowMs);
    // Only when other events become due.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ids]);
  return (
    <div role="status" aria-label="Reminders" className="grid gap-2">
      {nowMs !== null && due.map((event) => <DueNotice key={event.id} event={event} nowMs={nowMs} />)}
    </div>
  );
}

/** Returns the server's time every few seconds; null before its first answer. */
function useNow(serverMs: number | undefined): number | null {
  const [nowMs, setNowMs] = useState<number | null>(null);
  useEffect(() => {
    if (serverMs === undefined) return;
    // The clock of the computer may be set meanwhile.
    const receivedAt = performance.now();
    const update = () => setNowMs(serverMs + performance.now() - receivedAt);
    update();
    const timer = setInterval(update, CHECK_MS);
    return () => clearInterval(timer);
  }, [serverMs]);
  return nowMs;
}

/** Gives each reminder once, in whichever tab is first. */
function giveReminders(due: readonly PageEvent[], nowMs: number): void {
  const { given, hasSound } = readReminders();
  const fresh = due.filter(({ id, timeMs }) => given[id] !== timeMs);
  if (fresh.length === 0) return;
  const times = Object.fromEntries(fresh.map(({ id, timeMs }) => [id, timeMs]));
  changeReminders((before) => ({ ...before, given: { ...before.given, ...times } }));
  for (const event of fresh) {
    const { id, currency, title, forecast } = event;
    void notify({
      title: `${currency} ${title} in ${countMinutes(event, nowMs)} min`,
      body: forecast === "" ? "" : `Forecast ${forecast}`,
      tag: `spotline-${id}`,
      href: "/calendar?range=near",
    });
  }
  if (hasSound) playSound();
}

function countMinutes({ timeMs }: PageEvent, nowMs: number): number {
  return Math.ceil((timeMs - nowMs) / MINUTE_MS);
}

function DueNotice({ event, nowMs }: { event: PageEvent; nowMs: number }) {
  const { id, timeMs, currency, title, impact, forecast } = event;
  const close = () => changeReminders((before) => ({ ...before, closed: { ...before.closed, [id]: timeMs } }));
  return (
    <FloatingNotice
      Icon={BellRing}
      title={
        <>
          <Figure>{currency}</Figure> {title}
        </>
      }
      href="/calendar?range=near"
      closeLabel={`Close the reminder of ${title}`}
      onClose={close}
    >
      In {countMinutes(event, nowMs)} min, {impact} impact{forecast !== "" && `, forecast ${forecast}`}
    </FloatingNotice>
  );
}
