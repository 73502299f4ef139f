import { Meter } from "@/features/usage/meter";
import { NO_LIMIT } from "@/lib/access/plans";
import { projectedToday } from "@/lib/access/usage/plan-outlook";
import { formatCount } from "@/lib/text/number";

export interface DayQuotaLine {
  readonly name: string;
  readonly calls: number;
  readonly credits: number;
  /** NO_LIMIT for none. */
  readonly perDay: number;
}

/** One quota of the day: what is used of it, and what it will come to at this pace. */
export function DayQuota({ line: { name, calls, credits, perDay }, nowMs }: { line: DayQuotaLine; nowMs: number }) {
  const isLimited = perDay !== NO_LIMIT;
  const about = projectedToday(calls, nowMs);
  const isTight = isLimited && (calls >= perDay || (about ?? 0) > perDay);
  return (
    <div className="limit-quota">
      <h3>{name}</h3>
      <p className="limit-figure">
        {formatCount(calls)}
        <span>
          {isLimited ? `of ${formatCount(perDay)} calls today` : "calls today, without a limit"} ·{" "}
          {formatCount(credits)} credits
        </span>
      </p>
      <Meter label={`${name}: calls used today`} used={calls} limit={perDay} isTight={isTight} />
      <p className="limit-outlook" data-tight={isTight || undefined}>
        {outlook(calls, about, perDay)}
      </p>
    </div>
  );
}

function outlook(calls: number, about: number | null, perDay: number): string {
  if (perDay !== NO_LIMIT && calls >= perDay) return "Used up: calls are refused until midnight UTC.";
  if (about === null) return "Too early in the day to say what it will come to.";
  const sum = `At the pace of the day so far, about ${formatCount(about)} by midnight UTC`;
  return perDay !== NO_LIMIT && about > perDay ? `${sum}, which is more than the quota.` : `${sum}.`;
}
