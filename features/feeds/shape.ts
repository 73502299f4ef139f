import { listConcerns } from "@/features/feeds/concerns";
import type { FeedCondition, FeedRefusal, FeedRow, UnresolvedSpelling } from "@/features/feeds/types";
import type { SourceSettings } from "@/lib/access/source-control";
import { REFUSALS } from "@/lib/feeds/refusals";
import type { SourceState } from "@/lib/feeds/set/source-state";
import { catalogResolver } from "@/lib/market/catalog";

const MAX_CANDIDATES = 3;

/**
 * Shapes the state of a source for the page. `settings` are newer than the state, so that a change is shown at once.
 *
 * @param nowMs on the market clock
 */
export function toFeedRow(state: SourceState, settings: SourceSettings, nowMs: number): FeedRow {
  const { source, lastTickAtMs, connectedSinceMs, statusDetail, status } = state;
  const aliases = Object.entries(settings.aliases.get(source) ?? {}).map(([spelling, symbol]) => ({
    spelling,
    symbol,
  }));
  const aliased = new Set(aliases.map(({ spelling }) => spelling));
  const unresolved = state.unresolved.filter((spelling) => !aliased.has(spelling)).map(findCandidates);
  const ageMs = lastTickAtMs === null ? null : Math.max(0, nowMs - lastTickAtMs);
  const concerns = listConcerns(state, { ageMs, unresolved: unresolved.length });
  return {
    name: source,
    kind: state.kind,
    mode: state.mode,
    condition: findCondition(state, settings.paused.has(source), concerns.length > 0),
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
