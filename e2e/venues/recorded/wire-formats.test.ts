import { describe, expect, test } from "vitest";
import { mirrorSection } from "@/e2e/venues/kit/mirror-client.fixture";
import { findScenario, parseScenarios } from "@/e2e/venues/kit/parse-scenario";
import type { Transport } from "@/e2e/venues/kit/scenario";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { listVenues, readVenueFile } from "@/e2e/venues/kit/venue-file";
import { type DayTick, readDay } from "@/e2e/venues/recorded/recorded-day";
import { WIRE_FORMATS } from "@/e2e/venues/recorded/wire-formats";
import { findRealData } from "@/lib/feeds/real-data.fixture";

const realData = findRealData();
const MAY_2 = Date.UTC(2014, 4, 2);
const TICK: DayTick = { symbol: "eurusd", timeMs: Date.UTC(2014, 4, 2, 12, 30, 0, 125), bid: 1.38694, ask: 1.38705 };

/** What a client reads of TICK, in the venue's own words. */
const SENT: Readonly<Record<string, string>> = {
  binance: '{"stream":"eurusd@bookTicker","data":{"u":1,"s":"EURUSD","b":"1.38694","B":"1.0","a":"1.38705","A":"1.0"}}',
  coinbase: '"product_id":"EUR-USD","price":"1.38694","best_bid":"1.38694","best_ask":"1.38705","time":"2014-05-02T12',
  ctrader: '"symbolId":14,"bid":138694,"ask":138705,"timestamp":1399033800125}}',
  deriv: '"tick":{"id":"eurusd","ask":1.38705,"bid":1.38694,"epoch":1399033800,"pip_size":5,',
  "fix-ctrader": "52=20140502-12:30:00.125|262=null|55=1|268=2|269=0|270=1.38694|272=20140502|273=12:30:00.125|269=1|",
  "fix-lmax": "52=20140502-12:30:00.125|262=null|48=4001|22=8|268=2|269=0|270=1.38694|272=20140502|273=12:30:00.125|",
  kraken: '"symbol":"EUR/USD","bid":1.38694,"bid_qty":1,"ask":1.38705,"ask_qty":1,',
  massive: '[{"ev":"C","p":"EUR/USD","x":48,"a":1.38705,"b":1.38694,"t":1399033800125}]',
  oanda:
    '"time":"2014-05-02T12:30:00.125Z","bids":[{"price":"1.38694","liquidity":10000000}],"asks":[{"price":"1.38705",',
  tiingo: '["Q","eurusd","2014-05-02T12:30:00.125Z",1000000,1.38694,1.386995,1000000,1.38705]',
  tradermade: '{"t":"QUOTE","s":"EURUSD","b":"1.38694","a":"1.38705","ts":"20140502-12:30:00.125"}',
  "twelve-data":
    '"symbol":"EUR/USD","type":"Currency","timestamp":1399033800,"price":1.38694,"bid":1.38694,"ask":1.38705}',
};

/** Plays the scenario “recorded day” of a venue to a client, and returns the growing list of what it receives. */
async function serveDay(name: string, ticks: () => Iterable<DayTick>) {
  const scenario = readVenueFile(name);
  const format = WIRE_FORMATS[name] ?? String;
  const file = parseScenarios(scenario);
  const feed = function* () {
    for (const tick of ticks()) yield format(tick);
  };
  const venue = await open({ scenario, name: "recorded day", feed });
  let received: readonly string[] = [];
  for (const section of findScenario(file, "recorded day").sections) {
    received = await mirrorSection(file.transport as Transport, venue.url, section);
  }
  return { venue, received };
}

describe("a recorded day", () => {
  test.each(listVenues())("is served in the wire format of %s", async (name) => {
    const { venue, received } = await serveDay(name, () => [TICK]);
    await venue.finished();
    await expect
      .poll(() => received.at(-1)?.replaceAll("\x01", "|"), { timeout: 10_000, interval: 5 })
      .toContain(SENT[name]);
    await venue.close();
    expect(venue.violations).toEqual([]);
  });

  test.skipIf(realData === undefined)("reaches a client whole and in order", async () => {
    const read = () => readDay({ realData: realData ?? "", source: "oanda", symbol: "eurusd", fromMs: MAY_2 });
    const { venue, received } = await serveDay("fix-lmax", read);
    await venue.finished();
    // FIX has the kit's header before the tick's time; the mirrored request has no id.
    const sent = Array.from(read(), (tick) => WIRE_FORMATS["fix-lmax"]?.(tick).replace("35=W|", "") ?? "");
    expect(sent).toHaveLength(49_341);
    await expect.poll(() => received.length, { timeout: 20_000, interval: 20 }).toBe(sent.length + 1);
    const wrong = received.slice(1).filter((text, at) => {
      return !text.replaceAll("\x01", "|").includes(sent[at]?.replace("$in.262", "null") as string);
    });
    expect(wrong).toEqual([]);
  });

  test.skipIf(realData === undefined)("is a day in UTC, also of a vendor whose files are not", () => {
    const ticks = [...readDay({ realData: realData ?? "", source: "fxcm", symbol: "eurusd", fromMs: MAY_2 })];
    expect(ticks).toHaveLength(101_864);
    expect(ticks.every(({ timeMs }, at) => timeMs >= (ticks[at - 1]?.timeMs ?? MAY_2))).toBe(true);
  });
});
