import { expect, test } from "vitest";
import { createBook } from "@/lib/book/book";
import { collect } from "@/lib/feeds/collect.fixture";
import { createIntake } from "@/lib/feeds/intake";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { silentLog } from "@/lib/platform/log/log";
import { SteadyClock } from "@/lib/platform/timing/steady-clock";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const START_MS = Date.parse("2026-03-04T10:10:00Z");

/** The parts that pass a price on, on a computer whose clock can be set while time passes evenly. */
async function startPrices() {
  const { clock: evenly, sleep, until } = collect(START_MS);
  let setByMs = 0;
  const clock = new SteadyClock({
    system: () => evenly() + setByMs,
    monotonic: () => evenly() - START_MS,
    onStep: () => intake.forgetTimes(),
    log: silentLog,
  });
  const { now } = clock;
  const feed = createSimulatedFeed({ seed: "test", hours: "always", instruments, now, sleep });
  const { sources } = feed;
  const book = createBook({ sources, now });
  const intake = createIntake({ resolver: catalogResolver, sources, onQuote: (quote) => book.accept(quote), now });
  await feed.start(intake);
  return {
    feed,
    /** Sets the system clock to this much ahead of the time that has passed. */
    setClock: (ms: number) => void (setByMs = ms),
    async pass(ms: number) {
      const untilMs = evenly() + ms;
      await until(() => evenly() >= untilMs);
    },
    /** How long ago the served price was received, in the time that has really passed, and how it is called. */
    read() {
      const quote = book.served("EURUSD");
      return { ageMs: now() - (quote?.timeMs ?? 0), state: quote?.state };
    },
    countLate: () => intake.counts().refused.late,
  };
}

test.each([25 * SECOND_MS, 10 * MINUTE_MS])(
  "Prices keep moving, live, when the clock is set ahead by an hour and back after %i ms",
  async (lastsMs) => {
    const prices = await startPrices();
    await prices.pass(20 * SECOND_MS);
    for (const setByMs of [HOUR_MS, 0]) {
      const late = prices.countLate();
      prices.setClock(setByMs);
      await prices.pass(lastsMs);
      const { ageMs, state } = prices.read();
      expect(state).toBe("live");
      expect(ageMs).toBeGreaterThanOrEqual(0);
      expect(ageMs).toBeLessThan(5 * SECOND_MS);
      expect(prices.countLate() - late).toBeLessThan(50);
    }
    await prices.feed.stop();
  },
);
