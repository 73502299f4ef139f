import type { SourceState } from "@/lib/feeds/set/source-state";
import { formatCount } from "@/lib/text/text";
import { formatAge } from "@/lib/time/duration";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A clock that is further off than this is worth a look; that of a virtual machine drifts by less. */
const MAX_CLOCK_OFFSET_MS = 5 * SECOND_MS;
/** More refused ticks than this share of all are not single slips. */
const MAX_REFUSED_SHARE = 0.01;
/** A share of a few ticks says nothing. */
const MIN_REFUSED = 10;

/** What is wrong with a source, worst first; nothing while it is paused or its markets are closed. */
export function listConcerns(
  state: SourceState,
  { ageMs, unresolved }: { readonly ageMs: number | null; readonly unresolved: number },
): string[] {
  const { health, lastError, statusDetail, clockOffsetMs, connectedSinceMs } = state;
  if (health === "paused") return [];
  const concerns: string[] = [];
  if (health === "down") concerns.push(lastError ?? ["No connection", statusDetail ?? []].flat().join(": "));
  if (health === "slow") concerns.push("Fewer than half of the expected ticks");
  // A source that has never sent a tick has been silent since it was connected.
  if (health === "ok" && connectedSinceMs !== null && (ageMs === null || ageMs > MINUTE_MS)) {
    concerns.push(ageMs === null ? "No tick yet" : `No tick for ${formatAge(ageMs)}`);
  }
  const share = getRefusedShare(state);
  if (share !== null) concerns.push(`${formatShare(share)} of its ticks were refused`);
  if (unresolved > 0) {
    concerns.push(
      unresolved === 1 ? "1 spelling names no symbol" : `${formatCount(unresolved)} spellings name no symbol`,
    );
  }
  if (clockOffsetMs !== null && Math.abs(clockOffsetMs) > MAX_CLOCK_OFFSET_MS) {
    concerns.push(`Its clock is ${formatAge(Math.abs(clockOffsetMs))} ${clockOffsetMs > 0 ? "behind" : "ahead"}`);
  }
  return concerns;
}

/** The share of refused ticks if it is high; null otherwise. Repeated ticks are harmless. */
function getRefusedShare({ accepted, refused }: SourceState): number | null {
  const count = Object.values(refused).reduce((sum, each) => sum + each, -refused.duplicate);
  const share = count / (accepted + count);
  return count >= MIN_REFUSED && share > MAX_REFUSED_SHARE ? share : null;
}

function formatShare(share: number): string {
  return share > 0.995 && share < 1 ? "Nearly all" : `${Math.round(100 * share)}%`;
}
