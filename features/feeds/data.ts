import type { FeedCondition, FeedRefusal, FeedRow, FeedsData, UnresolvedSpelling } from "@/features/feeds/types";
import { readSoon } from "@/features/session/page-parts";
import type { SourceSettings } from "@/lib/access/source-control";
import { REFUSALS } from "@/lib/feeds/refusals";
import type { SourceState } from "@/lib/feeds/set/source-state";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Runtime } from "@/lib/runtime";
import { formatCount } from "@/lib/text/text";
import { formatAge } from "@/lib/time/duration";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Reads the state of every source, and what operators want of it. */
export async function readFeeds(runtime: Runtime): Promise<FeedsData> {
  const [status, settings] = await Promise.all([
    runtime.serverStatus(),
    readSoon(runtime, runtime.sourceControl.readSettings()),
  ]);
  const nowMs = runtime.marketNow();
  return {
    readAtMs: runtime.now(),
    feeds: status?.feeds.map((state) => toFeedRow(state, settings, nowMs)) ?? null,
  };
}

const MAX_CANDIDATES = 3;

/**
 * Shapes the state of a source for the page. `settings` are newer than the state, so that a change is shown at once;
 * null while they cannot be read.
 *
 * @param nowMs on the market clock
 */
export function toFeedRow(state: SourceState, settings: SourceSettings | null, nowMs: number): FeedRow {
  const { source, lastTickAtMs, connectedSinceMs, statusDetail, status } = state;
  const aliases = Object.entries(settings?.aliases.get(source) ?? {}).map(([spelling, symbol]) => ({
    spelling,
    symbol,
  }));
  const aliased = new Set(aliases.map(({ spelling }) => spelling));
  const unresolved = state.unresolved.filter((spelling) => !aliased.has(spelling)).map(findCandidates);
  const ageMs = lastTickAtMs === null ? null : Math.max(0, nowMs - lastTickAtMs);
  // The simulated brokers send an unknown symbol now and then, which no operator can mend.
  const concerns = listConcerns(state, { ageMs, unresolved: state.mode === "simulated" ? 0 : unresolved.length });
  return {
    name: source,
    kind: state.kind,
    mode: state.mode,
    condition: findCondition(state, settings?.paused.has(source) ?? state.health === "paused", concerns.length > 0),
    concerns,
    lastMinute: state.lastMinute,
    expectedPerMinute: state.expectedPerMinute,
    ageMs,
    clockOffsetMs: state.clockOffsetMs,
    latencyMs: state.latencyMs,
    connection: [status ?? "not connected yet", statusDetail ?? []].flat().join(": "),
    connectedForMs: connectedSinceMs === null ? null : Math.max(0, nowMs - connectedSinceMs),
    reconnections: state.reconnections,
    accepted: state.accepted,
    unfilledGaps: state.gaps.count,
    refusals: listRefusals(state),
    unresolved,
    seconds: state.seconds.filter(({ spelling }) => !aliased.has(spelling)),
    aliases,
    lastError: state.lastError,
  };
}

function findCondition({ health }: SourceState, isPauseWanted: boolean, hasConcerns: boolean): FeedCondition {
  if (isPauseWanted) return health === "paused" ? "paused" : "pausing";
  if (health === "paused") return "resuming";
  return health === "ok" && hasConcerns ? "check" : health;
}

function listRefusals({ refused, samples }: SourceState): FeedRefusal[] {
  return REFUSALS.filter((reason) => refused[reason] > 0)
    .map((reason) => ({
      reason,
      count: refused[reason],
      samples: (samples[reason] ?? []).toReversed().map(({ brokerSymbol, bid, ask, brokerTimeMs }) => ({
        spelling: brokerSymbol,
        bid: toNumber(bid),
        ask: toNumber(ask),
        timeMs: Number.isNaN(new Date(brokerTimeMs).getTime()) ? null : toNumber(brokerTimeMs),
      })),
    }))
    .sort((a, b) => b.count - a.count);
}

/** What is no number becomes null on its way between the processes. */
function toNumber(value: number | null): number | null {
  return Number.isFinite(value) ? value : null;
}

function findCandidates(spelling: string): UnresolvedSpelling {
  const resolution = catalogResolver.resolve(spelling);
  if (resolution.kind === "found") return { spelling, candidates: [resolution.instrument.symbol] };
  const near = resolution.kind === "ambiguous" ? resolution.candidates : resolution.suggestions;
  return { spelling, candidates: near.slice(0, MAX_CANDIDATES) };
}

/** A clock that is further off than this is worth a look; that of a virtual machine drifts by less. */
const MAX_CLOCK_OFFSET_MS = 5 * SECOND_MS;
/** More refused ticks than this share of all are not single slips. */
const MAX_REFUSED_SHARE = 0.01;
/** A share of a few ticks says nothing. */
const MIN_REFUSED = 10;

/** What is wrong with a source, worst first; nothing while it is paused or its markets are closed. */
function listConcerns(
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
