import { Moment } from "@/components/shared/moment";
import { useZone } from "@/components/shared/zone-context";
import { type DotLook, State } from "@/components/ui/state";
import type { AlertLine, AlertStatus } from "@/features/alerts/types";

const LOOKS: Readonly<Record<AlertStatus["kind"], readonly [dot: DotLook, colour: string]>> = {
  armed: ["good", "text-ink"],
  quiet: ["late", "text-ink"],
  fired: ["old", "text-accent-ink"],
  paused: ["off", "text-dim"],
  locked: ["failed", "text-dim"],
};

/** The state of an alert, with the time that belongs to it. */
export function StatusMark({ alert, nowMs }: { alert: AlertLine; nowMs: number }) {
  const { status, lastFiredAtMs } = alert;
  const [dot, colour] = LOOKS[status.kind];
  return (
    <State look={dot} className={colour}>
      {status.kind === "fired" ? "fired" : status.kind === "locked" ? "not in your plan" : status.kind}
      {status.kind === "fired" && lastFiredAtMs !== null && (
        <>
          {" "}
          <Moment atMs={lastFiredAtMs} nowMs={nowMs} />
        </>
      )}
      {status.kind === "quiet" && (
        <span className="text-dim">
          {" "}
          until <Hour atMs={status.untilMs} />
        </span>
      )}
      {status.kind === "locked" && <span className="block text-2xs">included in {status.plans}</span>}
    </State>
  );
}

function Hour({ atMs }: { atMs: number }) {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: useZone(), hour: "2-digit", minute: "2-digit" });
  return <time dateTime={new Date(atMs).toISOString()}>{format.format(atMs)}</time>;
}
