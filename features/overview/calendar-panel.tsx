"use client";

import { LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { useZone } from "@/components/shared/zone-context";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { ImpactMark } from "@/features/calendar/impact-mark";
import { formatWhen, NothingHere, Part } from "@/features/overview/part";
import type { CalendarPart, NextEvent } from "@/features/overview/types";
import { formatTimeLeft } from "@/lib/time/duration";

/** The next releases of high impact: the first with a countdown. */
export function CalendarPanel({ calendar }: { calendar: CalendarPart }) {
  return (
    <Part
      id="overview-calendar"
      title="High impact"
      href="/calendar"
      note={!calendar.isLocked && calendar.isSimulated ? "simulated events" : undefined}
    >
      {calendar.isLocked ? (
        <Locked plans={calendar.plans}>
          The next releases of high impact appear here, with a countdown, the forecast and the previous figure.
        </Locked>
      ) : (
        <Upcoming events={calendar.events} />
      )}
    </Part>
  );
}

function Upcoming({ events }: { events: readonly NextEvent[] }) {
  const [first, ...others] = events;
  if (first === undefined) return <NothingHere>No event of high impact is known for the next two weeks.</NothingHere>;
  return (
    <>
      <First event={first} />
      <ol className="text-xs13">
        {others.map((event) => (
          <li
            key={event.id}
            className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto_4.5rem] gap-x-2 border-t border-line py-1.5"
          >
            <Figure className="text-dim">{event.currency}</Figure>
            <span className="truncate" title={event.title}>
              {event.title}
            </span>
            <span translate="no" className="text-right text-faint tabular-nums">
              <When atMs={event.timeMs} />
            </span>
            <span className="text-right text-dim tabular-nums">
              <Wait atMs={event.timeMs} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function First({ event: { currency, title, timeMs, forecast, previous } }: { event: NextEvent }) {
  return (
    <div className="pb-3">
      <Figure as="p" className="text-[2rem]/10 tracking-[-0.03em] text-accent-ink">
        <span className="sr-only">In </span>
        <Wait atMs={timeMs} />
      </Figure>
      <p className="flex items-baseline gap-2">
        <ImpactMark impact="high" />
        <Figure>{currency}</Figure>
        <span className="min-w-0 font-medium">{title}</span>
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-4 text-xs13 text-dim">
        <span translate="no" className="tabular-nums">
          <When atMs={timeMs} />
        </span>
        <span>
          Forecast <Figure className="text-ink">{forecast ?? "–"}</Figure>
        </span>
        <span>
          Previous <Figure className="text-ink">{previous ?? "–"}</Figure>
        </span>
      </p>
    </div>
  );
}

function Wait({ atMs }: { atMs: number }) {
  const left = useMarketTime((nowMs) => (nowMs >= atMs ? "now" : formatTimeLeft(atMs - nowMs)));
  return <time dateTime={new Date(atMs).toISOString()}>{left}</time>;
}

function When({ atMs }: { atMs: number }) {
  const zone = useZone();
  return useMarketTime((nowMs) => formatWhen(atMs, nowMs, zone));
}

interface LockedProps {
  /** The plans that include the data: "Starter and Pro". */
  plans: string;
  /** What would be shown. */
  children: ReactNode;
}

/** A part that the member's plan does not include. */
function Locked({ plans, children }: LockedProps) {
  return (
    <div className="grid min-h-40 grid-cols-[auto_minmax(0,28rem)] content-center justify-center gap-x-3 rounded-md border border-dashed border-edge p-4 text-xs13">
      <LockKeyhole aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 text-faint" />
      <div>
        <p className="text-dim">{children}</p>
        <p className="mt-1.5">
          Included in {plans}.{" "}
          <Link href="/plan" className="text-accent-ink underline underline-offset-4">
            Compare plans
          </Link>
        </p>
      </div>
    </div>
  );
}
