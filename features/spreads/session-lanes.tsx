import { SESSION_LABELS } from "@/features/spreads/session-labels";
import type { SpreadDetailData } from "@/features/spreads/types";

/** When each session was open, on the chart's own scale of time: lanes, because sessions overlap. */
export function SessionLanes({ data: { fromMs, nowMs, sessions } }: { data: SpreadDetailData }) {
  const percent = (ms: number) => `${((ms / (nowMs - fromMs)) * 100).toFixed(3)}%`;
  return (
    <div aria-hidden className="session-lanes">
      {sessions.map(({ group, spans }) => (
        <div key={group} className="session-lane" data-group={group}>
          <span className="session-track">
            {spans.map(([openMs, closeMs]) => (
              <span key={openMs} style={{ left: percent(openMs - fromMs), width: percent(closeMs - openMs) }} />
            ))}
          </span>
          <span className="session-lane-name">{SESSION_LABELS[group].short}</span>
        </div>
      ))}
    </div>
  );
}
