import { Moment } from "@/components/shared/moment";
import { Link } from "@/components/ui/link";
import { Part } from "@/features/overview/part";
import type { AlertsPart, NoticesPart, OverviewData } from "@/features/overview/types";
import { Meter } from "@/features/usage/meter";
import type { DayQuotaLine } from "@/features/usage/types";
import { NO_LIMIT } from "@/lib/access/plans";
import { forecastToday } from "@/lib/access/usage/plan-forecast";
import { formatCount } from "@/lib/text/text";

type AccountPanelProps = Pick<OverviewData, "usage" | "notices" | "alerts">;

/** The calls of the day against the quota, the alerts that fired last, and the notices that are not dismissed. */
export function AccountPanel({ usage, notices, alerts }: AccountPanelProps) {
  return (
    <>
      <Part id="overview-usage" title="Usage today" href="/usage" className="pb-1!">
        <div className="grid gap-2">
          {usage.quotas.map((line) => (
            <Quota key={line.name} line={line} nowMs={usage.nowMs} isNamed={usage.quotas.length > 1} />
          ))}
        </div>
      </Part>
      <Part
        id="overview-alerts"
        title="Alerts"
        href="/alerts"
        note={`${formatCount(alerts.armed)} armed`}
        className="border-t border-line"
      >
        <Fired alerts={alerts} nowMs={usage.nowMs} />
      </Part>
      <Part id="overview-notices" title="Notices" href="/notices" className="border-t border-line">
        <Notices notices={notices} />
      </Part>
    </>
  );
}

function Quota({ line, nowMs, isNamed }: { line: DayQuotaLine; nowMs: number; isNamed: boolean }) {
  const { name, calls, perDay } = line;
  const isLimited = perDay !== NO_LIMIT;
  const about = forecastToday(calls, nowMs);
  const isTight = isLimited && (calls >= perDay || (about ?? 0) > perDay);
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-mono text-[1.375rem]/8 tabular-nums">{formatCount(calls)}</span>
        <span className="text-xs13 text-dim">
          {isLimited ? `of ${formatCount(perDay)} calls` : "calls, without a limit"}
          {isNamed && `, ${name.toLowerCase()}`}
        </span>
      </p>
      <Meter label={`${name}: calls used today`} used={calls} limit={perDay} isTight={isTight} />
      {about !== null && calls > 0 && (
        <p className={`text-xs12 ${isTight ? "text-warn" : "text-faint"}`}>
          At this pace about {formatCount(about)} by midnight UTC
        </p>
      )}
    </div>
  );
}

function Fired({ alerts: { armed, fired }, nowMs }: { alerts: AlertsPart; nowMs: number }) {
  if (fired.length === 0) {
    return (
      <p className="text-xs13 text-dim">
        None has fired{armed === 0 && ". "}
        {armed === 0 && (
          <Link href="/alerts?kind=price" className="text-accent-ink underline underline-offset-4">
            Create an alert
          </Link>
        )}
      </p>
    );
  }
  return (
    <ul className="text-xs13">
      {fired.map(({ id, name, atMs }) => (
        <li key={id} className="flex items-baseline justify-between gap-3 py-0.5">
          <Link href={`/alerts?alert=${id}`} title={name} className="truncate underline-offset-4 hover:underline">
            {name}
          </Link>
          <span className="flex-none text-xs12">
            <Moment atMs={atMs} nowMs={nowMs} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Notices({ notices: { count, newest } }: { notices: NoticesPart }) {
  if (count === 0) return <p className="text-xs13 text-dim">None new</p>;
  return (
    <>
      <ul className="text-xs13">
        {newest.map(({ id, title, href }) => (
          <li key={id} className="truncate py-0.5 pl-2.5 shadow-[inset_2px_0_0_var(--accent)]">
            <Link href={href} title={title} className="underline-offset-4 hover:underline">
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {count > newest.length && <p className="pt-1 text-xs12 text-faint">{count - newest.length} more new</p>}
    </>
  );
}
