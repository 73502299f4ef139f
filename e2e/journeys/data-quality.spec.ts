import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/journeys/accessible";
import { expect, test } from "@/e2e/journeys/fixtures";
import { joinServer } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { type BookChange, encodeBook } from "@/lib/history/as-of/book-block";
import { VERDICTS } from "@/lib/history/quality/judge-hour";
import { writeQuality } from "@/lib/history/quality/quality-rows";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** A working day in the middle of a week, which is over. */
function findDay(): number {
  let dayMs = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS;
  while (![2, 3, 4].includes(new Date(dayMs).getUTCDay())) dayMs -= DAY_MS;
  return dayMs;
}

const DAY = findDay();
const HOUR = DAY + 10 * HOUR_MS;
const SPIKE = { from: 605, to: 609, size: 190 };
const SYMBOL = "EURUSD";

/** Stores a judged hour of two sources, and the minutes of the log around the spike of one. */
async function store(spotline: Spotline): Promise<() => Promise<void>> {
  const database = await joinServer(spotline.place);
  const { pool } = database;
  const verdicts = (faulty: "spike" | "agrees") =>
    Uint8Array.from({ length: 60 }, (_, minute) => VERDICTS.indexOf(minute === 10 ? faulty : "agrees"));
  const hour = {
    ...{ symbol: SYMBOL, hourMs: HOUR, digits: 5, expected: 3_600, updated: 2_500, covered: 3_300, longest: 4 },
    ...{ bars: 60, differingBars: 1, served: 1_800, distances: new Map([[3, 3_600]]), offsetMs: 40 },
  };
  const own = { refused: new Map([["crossed", 6]] as const), gaps: [{ from: 1_200, to: 1_500, isStopped: false }] };
  const client = await pool.connect();
  await writeQuality(client, [
    { ...hour, ...own, source: "journey-a", verdicts: verdicts("spike"), spikes: [SPIKE] },
    { ...hour, source: "journey-b", verdicts: verdicts("agrees"), spikes: [], refused: new Map(), gaps: [] },
  ]);
  client.release();
  await pool.query(
    "INSERT INTO quality_progress (hour) VALUES ($1) ON CONFLICT (id) DO UPDATE SET hour = greatest(quality_progress.hour, excluded.hour)",
    [(DAY + DAY_MS) / HOUR_MS],
  );
  const since = HOUR / SECOND_MS + 540;
  const changes = Array.from({ length: 120 }, (_, i): BookChange[] =>
    ["journey-a", "journey-b"].map((source) => {
      const isSpike = source === "journey-a" && i + 540 >= SPIKE.from && i + 540 < SPIKE.to;
      const bid = 108_500 + (i % 7) + (isSpike ? 200 : 0);
      const second = since + i;
      const prices = { bid, ask: bid + 12, digits: 5 };
      return { symbol: SYMBOL, source, second, ...prices, timeMs: second * SECOND_MS, staleAfterMs: 10_000 };
    }),
  );
  const block = encodeBook(since, changes.flat());
  await pool.query("INSERT INTO book_log (since, until, whole, block) VALUES ($1, $2, true, $3)", [
    since,
    since + 120,
    block,
  ]);
  return async () => {
    await pool.query("DELETE FROM book_log WHERE since = $1", [since]);
    await pool.query("DELETE FROM quality_hour WHERE source LIKE 'journey-%'");
    await database.close();
  };
}

test("A spike is found by its month, its day and its minute, and has a message for the broker", async ({
  trader,
  spotline,
}) => {
  const remove = await store(spotline);
  try {
    const day = new Date(DAY).toISOString().slice(0, 10);
    await trader.goto(`/data-quality?symbol=eur/usd&month=${day.slice(0, 7)}`);
    const calendar = trader.getByRole("table", { name: /^Completeness of the served prices of EURUSD/ });
    await calendar.getByRole("link", { name: new RegExp(`^${Number(day.slice(8))} \\w+: degraded, `) }).click();
    await expect(trader).toHaveURL(`/data-quality?symbol=EURUSD&day=${day}`);
    const source = trader.getByRole("region", { name: /^journey-a/ });
    await expect(source.getByRole("img", { name: /^Minutes of journey-a: .*1 spike/ })).toBeVisible();
    await expect(source.getByRole("table", { name: /^Gaps/ })).toContainText("silent");
    await expect(source).toContainText("crossed 6");
    await expect(trader.getByRole("table", { name: /^Conditions of symbols/ })).toContainText("journey-a");
    await expectAccessible(source, "/data-quality of a day");

    await source.getByRole("link", { name: "Show the prices of the spike at 10:10:05" }).click();
    await expect(trader).toHaveURL(`/data-quality?symbol=EURUSD&moment=${day}T10:10:05Z&source=journey-a`);
    await expect(trader.getByRole("heading", { name: /^EURUSD of journey-a/ })).toContainText("19 pips above");
    const prices = trader.getByRole("table", { name: /^Bid and ask at the end of each second/ });
    await expect(prices.getByRole("row").filter({ hasText: "10:10:05" })).toContainText("1.08702 / 1.08714 (1.2)");
    const message = trader.getByLabel("Message for the broker");
    await expect(message).toContainText(`EURUSD, ${day}, 10:10:05 to 10:10:09 UTC: prices of journey-a`);
    await expect(message).toContainText("journey-b quoted 1.085");
    await expect(message).toContainText(`moment=${day}T10:10:05Z`);
    await trader.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(trader, "/data-quality of a spike");
    await expectAccessible(trader.getByRole("main"), "/data-quality of a spike on a phone");
  } finally {
    await remove();
  }
});
