import type { IngestToken } from "@/lib/access/ingest-tokens";
import type { TerminalState } from "@/lib/feeds/mt5/terminals";
import type { Runtime } from "@/lib/runtime";

/** Reads the tokens of terminals, with what each has sent since the server started. */
export async function readTerminals(runtime: Runtime): Promise<TerminalsData> {
  const [tokens, status] = await Promise.all([runtime.ingestTokens.list(), runtime.serverStatus()]);
  const states = new Map((status?.terminals ?? []).map((state) => [state.id, state]));
  const terminals = tokens.map((token) => ({ ...token, state: states.get(token.id) ?? null }));
  return { nowMs: runtime.now(), terminals };
}

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
