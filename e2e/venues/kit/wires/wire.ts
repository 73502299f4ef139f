import { setImmediate } from "node:timers/promises";

/** How a connection opened: what a `connect` pattern may match. Empty for TCP and TLS. */
export interface Opening {
  readonly method?: string;
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The venue's end of one connection, as its transport implements it. */
export interface Wire {
  /** Sends messages at once, each or all split by `cut`. Resolves when the socket takes more. */
  write(messages: readonly Buffer[], cut: (bytes: Buffer) => Buffer[]): Promise<void>;
  /** What ends each message. */
  readonly terminator: string;
  /** HTTP: sends status and headers. */
  answer?(status: number, headers: Readonly<Record<string, string>>): void;
  /** WebSocket: sends a ping frame. */
  ping?(payload: string): void;
  /** Says goodbye. `code` and `reason` are of a WebSocket. */
  close(code: number | null, reason: string): void;
  /** Ends the connection without a goodbye. */
  reset(): void;
}

/** What a transport reports of one connection. */
export interface WireEvents {
  message(text: string): void;
  ended(): void;
  /** Whether the venue still answers pings. */
  answers(): boolean;
}

/** Called for each new connection. Returns null if the venue does not serve it; the transport then refuses it. */
export type OnWire = (opening: Opening, wire: Wire) => WireEvents | null;

export interface Listener {
  readonly url: string;
  /** Ends all connections and resolves when the port is free. */
  close(): Promise<void>;
}

/** A socket or answer that takes bytes. */
interface Writable {
  write(bytes: Buffer): boolean;
  readonly destroyed: boolean;
  once(event: "drain" | "close", listener: () => void): unknown;
  off(event: "drain" | "close", listener: () => void): unknown;
}

/** Writes each piece in a segment of its own, as far as the system allows. Resolves when the socket takes more. */
export async function writePieces(stream: Writable, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (stream.destroyed) return;
    if (!stream.write(piece)) await drain(stream);
    else if (pieces.length > 1) await setImmediate();
  }
}

function drain(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done);
      stream.off("close", done);
      resolve();
    };
    stream.once("drain", done);
    stream.once("close", done);
  });
}

/** Reads the opening of a WebSocket or an HTTP request. */
export function readOpening(
  url: string | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Opening {
  const { pathname, searchParams } = new URL(url ?? "/", "http://venue");
  return {
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  };
}
