import type { TerminalsData } from "@/features/terminals/types";
import type { Runtime } from "@/lib/runtime";

/** Reads the tokens of terminals, with what each has sent since the server started. */
export async function readTerminals(runtime: Runtime): Promise<TerminalsData> {
  const [tokens, status] = await Promise.all([runtime.ingestTokens.list(), runtime.serverStatus()]);
  const states = new Map((status?.terminals ?? []).map((state) => [state.id, state]));
  const terminals = tokens.map((token) => ({ ...token, state: states.get(token.id) ?? null }));
  return { nowMs: runtime.now(), terminals };
}
