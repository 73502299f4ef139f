import type { ReactNode } from "react";
import { Meter } from "@/components/ui/meter";
import type { DayQuotaLine } from "@/features/usage/data";
import { NO_LIMIT } from "@/lib/access/plans";
import { forecastToday } from "@/lib/access/usage/plan-forecast";
import { formatCount } from "@/lib/text/text";

/** A number stays beside its unit. */
const VALUE_CLASS = "whitespace-nowrap";

/** One quota of the day: the calls used, and a forecast for midnight. */
export function DayQuota({ line: { name, calls, credits, perDay }, nowMs }: { line: DayQuotaLine; nowMs: number }) {
  const isLimited = perDay !== NO_LIMIT;
  const about = forecastToday(calls, nowMs);
  const isTight = isLimited && (calls >= perDay || (about ?? 0) > perDay);
  return (
    <Quota title={name}>
      <QuotaFigure
        figure={formatCount(calls)}
        unit={
          <>
            <span className={VALUE_CLASS}>{isLimited && `of ${formatCount(perDay)} `}calls today</span>
            {!isLimited && ", without a limit"} · <span className={VALUE_CLASS}>{formatCount(credits)} credits</span>
          </>
        }
      />
      <Meter label={`${name}: calls used today`} used={calls} limit={perDay} isTight={isTight} />
      <p className={getForecastClass(isTight)}>{formatForecast(calls, about, perDay)}</p>
    </Quota>
  );
}

function formatForecast(calls: number, about: number | null, perDay: number): string {
  if (perDay !== NO_LIMIT && calls >= perDay) return "The quota is used up. Calls are refused until midnight UTC.";
  if (about === null) return "Too early in the day for a forecast.";
  const sum = `At today’s pace, about ${formatCount(about)} calls by midnight UTC`;
  return perDay !== NO_LIMIT && about > perDay ? `${sum}, which is more than the quota.` : `${sum}.`;
}

/** The class of the sentence below a meter. */
export function getForecastClass(isTight: boolean): string {
  return `text-xs13 ${isTight ? "text-warn" : "text-dim"}`;
}

/** The figures of one limit, under its name. */
export function Quota({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div data-quota={title} className="min-w-0">
      <h3 className="text-xs13 text-dim">{title}</h3>
      {children}
    </div>
  );
}

/** A figure and what it counts, on the next line where both do not fit on one. */
export function QuotaFigure({ figure, unit }: { figure: string; unit: ReactNode }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span translate="no" className="font-mono text-[1.5rem] leading-9 tabular-nums">
        {figure}
      </span>
      <span className="text-xs13 text-dim">{unit}</span>
    </p>
  );
}
