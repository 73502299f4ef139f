import type { QualityView } from "@/features/data-quality/url";
import { formatDay, getMonth } from "@/features/data-quality/url";
import type { Account } from "@/lib/access/accounts/account";
import { mayRead } from "@/lib/access/plans";
import type { Verdict } from "@/lib/history/quality/judge-hour";
import type { SourceDay } from "@/lib/history/quality/quality-days";
import type { Instrument } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Runtime } from "@/lib/runtime";
import { formatCsv } from "@/lib/text/csv";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

type QualityRuntime = Pick<Runtime, "quality" | "marketNow">;

/** Rows of the list of a day. */
const SHOWN_WORST = 15;
/** Seconds around a moment. */
const AROUND_MS = 30 * SECOND_MS;
/** The longest time at fault that is shown in seconds. */
const LONGEST_MS = 4 * MINUTE_MS;

/** Reads all parts of the page. */
export async function readQualityPage(
  runtime: QualityRuntime,
  account: Account,
  view: QualityView,
  instrument: Instrument,
) {
  const { quality } = runtime;
  const { monthMs, dayMs } = view;
  const month = await quality.readMonth(instrument, monthMs, getMonth(monthMs, 1));
  const found = dayMs === null ? null : ((await quality.readDays(instrument, dayMs, dayMs + DAY_MS)).days[0] ?? null);
  const listedMs = dayMs ?? Math.floor(runtime.marketNow() / DAY_MS - 1) * DAY_MS;
  const list = await quality.readDay(listedMs);
  return {
    ...{ month, listedMs },
    day: found && {
      ...found,
      strips: new Map(found.sources.map((source) => [source.source, listMinutes(source, found.dayMs, instrument)])),
    },
    moment: await readMoment(quality, account, view, instrument, found?.sources ?? []),
    worst: list.slice(0, SHOWN_WORST),
    listed: list.length,
    nowMs: Math.floor(runtime.marketNow()),
  };
}

export type QualityPageData = Awaited<ReturnType<typeof readQualityPage>>;

/** Reads the seconds around a moment: "locked" on a plan without ticks, null without a moment. */
async function readMoment(
  quality: QualityRuntime["quality"],
  account: Account,
  { momentMs, source }: QualityView,
  { symbol }: Instrument,
  sources: readonly SourceDay[],
) {
  if (momentMs === null || source === null) return null;
  if (!mayRead(account, "ticks")) return "locked" as const;
  const own = sources.find((each) => each.source === source);
  const isAt = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => fromMs <= momentMs && momentMs < toMs;
  const spike = own?.spikes.find(isAt) ?? null;
  const run = own?.runs.find(isAt);
  const { fromMs, toMs } = spike ?? run ?? { fromMs: momentMs, toMs: momentMs + MINUTE_MS };
  const endMs = Math.min(toMs, fromMs + LONGEST_MS);
  const seconds = await quality.readSeconds(symbol, fromMs - AROUND_MS, endMs + AROUND_MS);
  return {
    ...{ fromMs, toMs: endMs, seconds, size: spike?.size ?? null },
    isWithinSecond: spike === null && run?.verdict === "spike",
  };
}

/** The verdict of each minute of a day; null where it is not judged, or not expected. */
function listMinutes(
  { gaps, runs, fromMs: firstMs, untilMs }: SourceDay,
  dayMs: number,
  { tradingHours }: Instrument,
): (Verdict | null)[] {
  const minutes = Array.from({ length: DAY_MS / MINUTE_MS }, (_, minute): Verdict | null => {
    const atMs = dayMs + minute * MINUTE_MS;
    if (!isMarketOpen(tradingHours, atMs)) return "closed";
    return atMs < firstMs || atMs >= untilMs ? null : "agrees";
  });
  const fill = (fromMs: number, toMs: number, verdict: Verdict) => {
    const [from, to] = [fromMs, toMs].map((ms) => Math.round((ms - dayMs) / MINUTE_MS)) as [number, number];
    minutes.fill(verdict, Math.max(0, from), Math.max(0, to));
  };
  for (const { fromMs, toMs } of gaps) fill(fromMs, toMs, "gap");
  for (const { fromMs, toMs, verdict } of runs) fill(fromMs, toMs, verdict);
  return minutes;
}

/** Formats the days of a month as CSV: one row for each day and source. */
export function formatMonth(symbol: string, month: QualityPageData["month"]): string {
  return formatCsv(
    [
      "symbol",
      "date",
      "source",
      "condition",
      "expected_seconds",
      "covered_seconds",
      "compared_minutes",
      "faulty_minutes",
    ],
    month.flatMap(({ dayMs, sources }) =>
      sources.map((each) => [
        symbol,
        formatDay(dayMs),
        each.source,
        each.condition,
        each.expected,
        each.covered,
        each.compared,
        each.faulty,
      ]),
    ),
  );
}
