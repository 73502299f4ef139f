import type { Pool } from "pg";
import { createBook } from "@/lib/book/book";
import { createIntake } from "@/lib/feeds/intake";
import { BookLog } from "@/lib/history/as-of/book-log";
import { LEAD } from "@/lib/history/quality/judge-hour";
import { createRandom } from "@/lib/history/quality/planted-faults.fixture";
import { judgeNew } from "@/lib/history/quality/quality-upkeep";
import type { PointTick } from "@/lib/history/quality/real-days.fixture";
import { TickTally } from "@/lib/history/quality/tick-tally";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { silentLog } from "@/lib/platform/log/log";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** A Wednesday, when the market is open. */
export const HOUR = Date.UTC(2026, 2, 4, 10);
/** Most trusted first. */
const SOURCES = [
  { name: "beta", mode: "live" },
  { name: "alpha", mode: "live" },
] as const;

/** Two sources that are received, checked, logged and judged, with the real parts of the server. */
export function openScene(pool: Pool) {
  const state = { nowMs: HOUR };
  const tally = new TickTally();
  const book = createBook({ sources: SOURCES, now: () => state.nowMs });
  const clock = { marketNow: () => state.nowMs, log: silentLog };
  const log = new BookLog({ pool: pool, findGapMs: book.findGapMs, ...clock });
  const accepted = new Map<string, PointTick[]>(SOURCES.map(({ name }) => [name, []]));
  const intake = createIntake({
    resolver: catalogResolver,
    sources: SOURCES,
    now: () => state.nowMs,
    onQuote: (quote) => {
      book.accept(quote);
      log.onQuote(quote);
      const [bid, ask] = [Math.round(quote.bid * 1e5), Math.round(quote.ask * 1e5)];
      accepted.get(quote.source)?.push({ timeMs: quote.receivedAtMs, bid, ask });
    },
    onChecked: (tick, symbol, refusal) => tally.onTick(tick, symbol, refusal),
  });
  const options = { pool: pool, tally, listPriority: () => SOURCES.map(({ name }) => name), ...clock };
  return {
    state,
    tally,
    accepted,
    log,
    judge: (fence = FIRST_FENCE) => judgeNew(options, fence),
    tick(source: string, atMs: number, bid: number, { spread = 12, lateMs = 40 } = {}) {
      state.nowMs = atMs;
      const prices = { bid: bid / 1e5, ask: (bid + spread) / 1e5 };
      intake.tick({ source, brokerSymbol: "EURUSD", ...prices, brokerTimeMs: atMs - lateMs, receivedAtMs: atMs });
    },
    async flushAt(ms: number) {
      state.nowMs = ms;
      await log.flush(FIRST_FENCE);
    },
  };
}

/** A market of both sources from before the hour to after it; `alpha` has faults. */
export async function recordFaults(scene: ReturnType<typeof openScene>): Promise<void> {
  const random = createRandom(3);
  let mid = 108_500;
  await scene.flushAt(HOUR - LEAD * SECOND_MS);
  for (let second = -LEAD; second < HOUR_MS / SECOND_MS + LEAD + 70; second++) {
    mid += Math.round(6 * random() - 3);
    const atMs = HOUR + second * SECOND_MS;
    if (random() < 0.8) scene.tick("beta", atMs + 100, mid);
    const isMissing = second >= 1_200 && second < 1_500;
    const isSpike = second >= 605 && second < 609;
    const isSlow = second >= 3_000;
    if (!isMissing && random() < 0.7) {
      scene.tick("alpha", atMs + 200, mid + (isSpike ? 200 : 1), { lateMs: isSlow ? 4_040 : 40 });
    }
    // A price within a second, and one that the intake refuses.
    if (second === 2_000) {
      scene.tick("alpha", atMs + 300, mid - 300);
      scene.tick("alpha", atMs + 400, mid);
    }
    if (second % 600 === 30) scene.tick("alpha", atMs + 500, mid, { spread: -10 });
    if (second % 20 === 19) await scene.flushAt(atMs + 999);
  }
  await scene.flushAt(HOUR + HOUR_MS + (LEAD + 70) * SECOND_MS);
}
