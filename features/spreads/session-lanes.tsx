import type { SpreadLinesData } from "@/features/spreads/types";
import type { SessionGroup } from "@/lib/history/spreads/spread-period";

interface SessionLook {
  readonly full: string;
  readonly short: string;
  readonly colour: string;
}

/** Each session has its colour of the sessions page; the Asian one has Tokyo's. */
export const SESSIONS: Readonly<Record<SessionGroup, SessionLook>> = {
  asian: { full: "Asian", short: "Asia", colour: "bg-tokyo" },
  london: { full: "London", short: "Lon", colour: "bg-london" },
  new_york: { full: "New York", short: "NY", colour: "bg-new-york" },
};

/** The opening hours of each session on the chart's time axis. Each session has its lane, because sessions overlap. */
export function SessionLanes({ data: { fromMs, nowMs, sessions } }: { data: SpreadLinesData }) {
  const percent = (ms: number) => `${((ms / (nowMs - fromMs)) * 100).toFixed(3)}%`;
  return (
    <div aria-hidden className="mt-1 grid gap-0.5">
      {sessions.map(({ group, spans }) => (
        <div key={group} className="flex items-center">
          <span className="relative h-[5px] flex-1 overflow-hidden rounded-[1px] bg-hover">
            {spans.map(([openMs, closeMs]) => (
              <span
                key={openMs}
                className={`absolute inset-y-0 ${SESSIONS[group].colour}`}
                style={{ left: percent(openMs - fromMs), width: percent(closeMs - openMs) }}
              />
            ))}
          </span>
          <span className="w-14 pl-2 text-xs11/3.5 text-faint">{SESSIONS[group].short}</span>
        </div>
      ))}
    </div>
  );
}
