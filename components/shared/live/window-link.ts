import type { HubMessage, SaidMessage, WindowMessage } from "@/components/shared/live/live-hub";

/** The link between the windows of an account in one browser: each receives the messages of the others, over their shared hub. */
export interface WindowLink {
  say(said: object): void;
  leave(): void;
}

const OPEN: WindowMessage = { topics: [], fresh: [], isVisible: false, joins: true };
const ALONE: WindowLink = { say: () => {}, leave: () => {} };

/**
 * Joins the windows of the account of this id. `onSaid` is called with what another one says. Browsers without shared
 * workers have no link.
 */
export function joinWindows(account: string, onSaid: (said: object) => void): WindowLink {
  const stopping = new AbortController();
  let port: MessagePort | null = null;

  function connect(): void {
    try {
      // The same script and name as in `follow-topic.ts`, so that the hub is the same.
      port = new SharedWorker(new URL("./live-worker.ts", import.meta.url), { name: account }).port;
      port.onmessage = ({ data }: MessageEvent<HubMessage | SaidMessage>) => data.kind === "said" && onSaid(data.said);
      port.postMessage(OPEN);
    } catch {
      port = null;
    }
  }

  function disconnect(): void {
    port?.postMessage({ ...OPEN, isLeaving: true });
    port = null;
  }

  if (!("SharedWorker" in globalThis)) return ALONE;
  connect();
  // As in `follow-topic.ts`: a page that is kept to come back to has no connection.
  addEventListener("pagehide", disconnect, { signal: stopping.signal });
  addEventListener("pageshow", ({ persisted }) => persisted && connect(), { signal: stopping.signal });
  return {
    say: (said) => port?.postMessage({ ...OPEN, said }),
    leave() {
      stopping.abort();
      disconnect();
    },
  };
}
