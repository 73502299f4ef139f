import type { SpreadRuntime } from "@/features/spreads/data";
import type { SpreadLine, SpreadLinesData } from "@/features/spreads/types";
import { getLines, readView, type SpreadsView } from "@/features/spreads/url";
import { pointsToPips, rollupInPips } from "@/lib/api/history/spread-comparison";
import { DRAWN_STEPS } from "@/lib/history/spreads/spread-history";
import {
  getPeriodStart,
  SESSION_GROUPS,
  type SessionGroup,
  type SpreadPeriod,
} from "@/lib/history/spreads/spread-period";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Runtime } from "@/lib/runtime";
import { MINUTE_MS } from "@/lib/time/units";

/** Reads the lines of the chart: the mean spread of each step. A source that never quoted the symbol has no points. */
export async function readSpreadLines(runtime: SpreadRuntime, view: SpreadsView): Promise<SpreadLinesData> {
  const { period } = view;
  const lines = await Promise.all(getLines(view).map((key) => readLine(runtime, key, period)));
  const nowMs = Math.floor(runtime.marketNow());
  const fromMs = getPeriodStart(period, nowMs);
  return {
    fromMs,
    nowMs,
    stepMs: DRAWN_STEPS[period] * MINUTE_MS,
    lines,
    sessions: SESSION_GROUPS.map((group) => ({ group, spans: getSpans(runtime, group, fromMs, nowMs) })),
  };
}

async function readLine({ history }: SpreadRuntime, key: string, period: SpreadPeriod): Promise<SpreadLine> {
  const [symbol = "", ...rest] = key.split(":");
  const instrument = instrumentBySymbol.get(symbol);
  if (instrument === undefined) return { key, points: [] };
  const stepMinutes = DRAWN_STEPS[period];
  const source = rest.join(":");
  if (source === "") {
    const { steps } = await history.spreads.readDetail(symbol, period, stepMinutes);
    const pips = (points: number) => pointsToPips(points, instrument);
    return {
      key,
      points: steps.map(({ startMs, rollup, p5, p95 }) => {
        return [startMs, rollupInPips(rollup, instrument)?.avg ?? 0, pips(p5), pips(p95)];
      }),
    };
  }
  const sources = await history.spreads.readSourceSteps(symbol, period, stepMinutes);
  const steps = sources.find((each) => each.source === source)?.steps ?? [];
  return {
    key,
    points: steps.map(({ startMs, rollup }) => [startMs, rollupInPips(rollup, instrument)?.avg ?? 0, null, null]),
  };
}

/** Returns when a group of sessions was open, cut to the period. Overlapping spans of Sydney and Tokyo are joined. */
function getSpans(
  { sessions }: Pick<SpreadRuntime, "sessions">,
  group: SessionGroup,
  fromMs: number,
  untilMs: number,
): [number, number][] {
  const between = sessions.between(fromMs, untilMs);
  const weeks = group === "asian" ? [between.sydney, between.tokyo] : [between[group]];
  const spans = weeks
    .flatMap(({ open }) => open)
    .map((span): [number, number] => [Math.max(span.fromMs, fromMs), Math.min(span.untilMs, untilMs)])
    .sort(([one], [other]) => one - other);
  const joined: [number, number][] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span[0] <= last[1]) last[1] = Math.max(last[1], span[1]);
    else joined.push(span);
  }
  return joined;
}

/** Reads the lines that the page's query names. */
export function readLinesOf(runtime: Runtime, query: URLSearchParams): Promise<SpreadLinesData> {
  const view = readView(Object.fromEntries(query), (spelling) => runtime.resolver.find(spelling)?.symbol);
  return readSpreadLines(runtime, view);
}
