import type { ConnectionState } from "@/components/shared/connect-stream";
import { type DotLook, StateDot } from "@/components/ui/state";

interface Look {
  readonly label: string;
  readonly meaning: string;
  readonly dot: DotLook;
  readonly className: string;
}

const TROUBLED = "border-warn text-warn";

const LOOKS: Readonly<Record<ConnectionState, Look>> = {
  connecting: {
    label: "Connecting",
    meaning: "Opening the price stream",
    dot: "off",
    className: "border-line text-dim",
  },
  // Not "live", which is a state of quotes; these may be simulated.
  live: { label: "Streaming", meaning: "Prices arrive as they change", dot: "good", className: "border-line text-ink" },
  reconnecting: {
    label: "Reconnecting",
    meaning: "The stream was lost and is being opened again",
    dot: "waiting",
    className: TROUBLED,
  },
  polling: {
    label: "Polling",
    meaning: "There is no stream now; prices update every 2 seconds",
    dot: "waiting",
    className: TROUBLED,
  },
  offline: {
    label: "Offline",
    meaning: "The server cannot be reached; these prices no longer update",
    dot: "failed",
    className: "border-down text-down",
  },
};

/** The state of the connection. A status region, so that screen readers announce changes. */
export function ConnectionBadge({ state }: { state: ConnectionState }) {
  const { label, meaning, dot, className } = LOOKS[state];
  return (
    <span
      role="status"
      title={meaning}
      className={`inline-flex h-6 items-center gap-1.5 rounded-sm border px-2 text-xs12 whitespace-nowrap ${className}`}
    >
      <StateDot look={dot} />
      {label}
      <span className="sr-only">. {meaning}.</span>
    </span>
  );
}
