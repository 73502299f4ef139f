import type { Message } from "@/e2e/venues/kit/messages";

/** What a venue's sockets speak: `tcp` and `tls` carry FIX, JSON objects or lines. */
export type Transport = "websocket" | "http" | "tcp" | "tls";

export const TRANSPORTS: readonly Transport[] = ["websocket", "http", "tcp", "tls"];

/** What a scenario does next. The texts may hold variables; variables.ts fills them in when the step is played. */
type Action =
  | { readonly kind: "expect"; readonly pattern: Message; readonly text: string }
  /** A JSON or FIX message, to which the connection adds what its protocol needs. */
  | { readonly kind: "send"; readonly text: string }
  /** Bytes to be sent unchanged. */
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "ping"; readonly text: string }
  | { readonly kind: "answer"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** Sends a message to all other connections and closes them. */
  | { readonly kind: "evict"; readonly text: string }
  /** Splits what follows into pieces of so many bytes; 0 sends whole messages again. */
  | { readonly kind: "chunk"; readonly bytes: number }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "close"; readonly code: number | null; readonly reason: string }
  | { readonly kind: "reset" }
  /** Sends all messages of the venue's feed. */
  | { readonly kind: "feed" }
  | { readonly kind: "silent" }
  | { readonly kind: "skew"; readonly seconds: number }
  | { readonly kind: "price"; readonly start: string; readonly spread: number }
  | { readonly kind: "repeat"; readonly times: number; readonly steps: readonly Step[] }
  /** Writes everything that its steps send at once. */
  | { readonly kind: "join"; readonly steps: readonly Step[] };

/** `line` is the number of the step's line in its file, for reports. */
export type Step = Action & { readonly line: number };

/** A message that the venue answers whenever it comes; without an answer, one that may come instead of what is expected. */
export interface Rule {
  readonly pattern: Message;
  readonly answer: string | null;
}

/** What the venue does on one connection. */
export interface Section {
  readonly line: number;
  /** The connection's opening (path, query, headers) must match it; null matches any. */
  readonly opening: Message | null;
  readonly steps: readonly Step[];
}

export interface Scenario {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** One for each connection; the last one that fits is played again for later connections. */
  readonly sections: readonly Section[];
}

export interface ScenarioFile {
  /** Null if the file does not say. */
  readonly transport: Transport | null;
  readonly scenarios: readonly Scenario[];
}

/** A scenario that cannot be read. The message begins with the line's number. */
export class ScenarioError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = "ScenarioError";
  }
}
