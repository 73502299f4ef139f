import type { ConnectionState } from "@/features/quotes/board-connection";

const words: Readonly<Record<ConnectionState, { label: string; meaning: string }>> = {
  connecting: { label: "Connecting", meaning: "Opening the stream of prices" },
  // Not "live": that word belongs to prices, and these may be simulated.
  live: { label: "Streaming", meaning: "Prices arrive as they change" },
  reconnecting: { label: "Reconnecting", meaning: "The stream broke off and is being opened again" },
  polling: { label: "Polling", meaning: "The stream is down: prices are asked for every 2 seconds meanwhile" },
  offline: { label: "Offline", meaning: "The server cannot be reached: these prices are no longer updated" },
};

/** How the board is connected. A status region: a change is read out, politely. */
export function ConnectionBadge({ state }: { state: ConnectionState }) {
  const { label, meaning } = words[state];
  return (
    <span role="status" className="connection" data-state={state} title={meaning}>
      <span aria-hidden className="connection-dot" />
      {label}
      <span className="sr-only">. {meaning}.</span>
    </span>
  );
}
