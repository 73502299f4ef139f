import { formatClock, formatDay } from "@/features/data-quality/url";
import type { LoggedSecond } from "@/lib/history/quality/quality-reader";
import type { Instrument } from "@/lib/market/instrument";
import { formatPrice, formatSpreadPips, getSpreadPips } from "@/lib/market/price";
import { SECOND_MS } from "@/lib/time/units";

export interface ShownMoment {
  readonly instrument: Instrument;
  readonly source: string;
  /** The seconds that are at fault, UTC milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** What is around them, oldest first. */
  readonly seconds: readonly LoggedSecond[];
  /** Whether a price was apart that no second ended with, and which is not among the prices. */
  readonly isWithinSecond: boolean;
  /** The address of the page that shows it. */
  readonly url: string;
}

/** The prices of a second that are listed in the message, at most so many seconds. */
const MOST_LINES = 20;
const AROUND_MS = 2 * SECOND_MS;

/**
 * Writes to a source's broker what its prices and those of the other sources were around a moment: whole sentences, then one
 * line a second. Times are UTC, and prices have the digits that their source sent.
 */
export function formatMessage({ instrument, source, fromMs, toMs, seconds, isWithinSecond, url }: ShownMoment): string {
  const { symbol } = instrument;
  const furthest = findFurthest(
    seconds.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs),
    source,
  );
  const shown = seconds.filter(({ timeMs }) => timeMs >= fromMs - AROUND_MS && timeMs < toMs + AROUND_MS);
  const lines = shown.slice(0, MOST_LINES).map(({ timeMs, sources }) => {
    const own = sources.find((each) => each.source === source);
    const others = sources.filter((each) => each.source !== source);
    const prices = [...(own === undefined ? [] : [own]), ...others].map(
      (each) => `${each.source} ${formatQuote(each, instrument)}`,
    );
    return `${formatClock(timeMs)}  ${prices.join("  |  ")}`;
  });
  return [
    `${symbol}, ${formatDay(fromMs)}, ${formatClock(fromMs)} to ${formatClock(toMs)} UTC: prices of ${source}`,
    "",
    isWithinSecond
      ? `In this time ${source} sent a price apart from the other sources that lasted less than a second, and is not listed.`
      : furthest === null
        ? `Prices of ${source} and of the other sources around this time.`
        : `At ${formatClock(furthest.timeMs)} UTC ${source} quoted ${furthest.own}. At the end of the same second ${furthest.others}.`,
    "",
    "Bid / ask (spread in pips) at the end of each second, UTC:",
    ...lines,
    ...(shown.length > MOST_LINES ? [`and ${shown.length - MOST_LINES} more seconds`] : []),
    "",
    url,
  ].join("\n");

  function findFurthest(of: readonly LoggedSecond[], name: string) {
    let [most, best] = [-1, null as { timeMs: number; own: string; others: string } | null];
    for (const { timeMs, sources } of of) {
      const own = sources.find((each) => each.source === name);
      const others = sources.filter((each) => each.source !== name);
      if (own === undefined || others.length === 0) continue;
      const distance = Math.min(...others.map((each) => Math.abs(own.bid + own.ask - each.bid - each.ask)));
      if (distance <= most) continue;
      const texts = others.map((each) => `${each.source} quoted ${formatQuote(each, instrument)}`);
      [most, best] = [distance, { timeMs, own: formatQuote(own, instrument), others: texts.join(", ") }];
    }
    return best;
  }
}

function formatQuote(
  { bid, ask, digits }: { bid: number; ask: number; digits: number },
  { pipSize }: Pick<Instrument, "pipSize">,
): string {
  const pips = formatSpreadPips(getSpreadPips(bid, ask, { pipSize, digits }));
  return `${formatPrice(bid, digits)} / ${formatPrice(ask, digits)} (${pips})`;
}
