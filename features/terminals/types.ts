import type { IngestToken } from "@/lib/access/ingest-tokens";
import type { TerminalState } from "@/lib/feeds/mt5/terminals";

export interface ShownTerminal extends IngestToken {
  /** What came since the server started; null if nothing did. */
  readonly state: TerminalState | null;
}

export interface TerminalsData {
  readonly nowMs: number;
  readonly terminals: readonly ShownTerminal[];
}

/** A new token with its secret, which is shown once. */
export interface CreatedTerminal {
  readonly id: string;
  readonly source: string;
  readonly secret: string;
  /** What the program in the terminal pushes to. */
  readonly url: string;
}
