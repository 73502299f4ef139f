import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { collect } from "@/lib/feeds/collect.fixture";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import { writeRecording } from "@/lib/feeds/replay/recording.fixture";
import { type Ended, FeedSet, type SetSource } from "@/lib/feeds/set/feed-set";
import type { FeedSetting } from "@/lib/feeds/settings/feed-setting";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { silentLog } from "@/lib/platform/log/log";

const START = Date.UTC(2026, 0, 14, 14);
const startedMs = performance.now();
/** The time of day might be within an outage of a simulated broker. */
const now = () => START + performance.now() - startedMs;
/** Writes a recording of one source and symbol for the running test. */
const record = () => writeRecording({ "forex/oanda/tick/eurusd/20140502": "0,1.3,1.3002\n450,1.3001,1.3003" });
const SIMULATED = ["alpha-markets", "borealis-fx", "cobalt-prime", "dunmore-trading"];

function setting(kind: string, settings: Record<string, unknown>, more: Partial<FeedSetting> = {}): FeedSetting {
  const shared = { priority: 0, symbols: null, aliases: {}, hours: null, expectedRate: null, secrets: {} };
  return { name: kind, kind, settings, ...shared, ...more };
}
const simulated = (more?: Partial<FeedSetting>) => setting("simulated", { seed: "test", trading: "always" }, more);
const replay = (dir: string, settings = {}) => setting("replay", { dir, speed: 1, time: "now", ...settings });

function open(...feeds: FeedSetting[]) {
  const collected = collect(START);
  const changes: { sources: string[]; dropped: string[]; lost: string[] }[] = [];
  const onChange = (sources: readonly SetSource[], { dropped, lost }: Ended) =>
    void changes.push({ sources: sources.map(({ name }) => name), dropped: [...dropped], lost: [...lost] });
  const set = new FeedSet(toSettings(feeds), {
    ...{ now, monotonic: () => performance.now(), instruments, storedUntilMs: null, dataDir: "data", log: silentLog },
    ...{ recorder: null, inlets: new Inlets() },
    ...{ sink: collected.sink, onChange },
  });
  const names = () => set.sources.map(({ name }) => name);
  const symbolsOf = (source: string) =>
    new Set(
      collected.ticks
        .filter((tick) => tick.source === source)
        .map(({ brokerSymbol }) => catalogResolver.find(brokerSymbol)?.symbol),
    );
  return { set, changes, names, symbolsOf, ...collected };
}

function toSettings(feeds: readonly FeedSetting[]) {
  return { feeds, sourcePriority: [], file: null };
}

describe("a set of feeds", () => {
  test("runs several at once, and the simulation quotes only what no other feed offers", async () => {
    const { set, names, ticks, symbolsOf, until } = open(replay(record()), simulated());
    expect(names()).toEqual(["oanda", ...SIMULATED]);
    expect(set.past?.symbols).not.toContain("EURUSD");
    await set.start();
    await until(() => symbolsOf("oanda").size > 0 && symbolsOf("alpha-markets").size > 20);
    await set.stop();
    expect([...symbolsOf("oanda")]).toEqual(["EURUSD"]);
    for (const name of SIMULATED) expect(symbolsOf(name).has("EURUSD")).toBe(false);
    const before = ticks.length;
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    expect(ticks.length).toBe(before);
  });

  test("leaves to the simulation what a venue is not subscribed to, in its own spelling", () => {
    const aliases = { "BTC/USD": "BTCUSD", "XDG/USD": "DOGEUSD" };
    const kraken = setting("kraken", {}, { symbols: ["BTC/USD", "XDG/USD"], aliases });
    const { set } = open(kraken, simulated());
    expect(set.past?.symbols).toHaveLength(instruments.length - 2);
    expect(set.past?.symbols).not.toContain("DOGEUSD");
    expect(set.past?.symbols).toContain("ETHUSD");
  });

  test("refuses the simulation beside a broker that finds its symbols only when it runs", () => {
    const secrets = { token: "token", account: "101-001-1-001" };
    const oanda = (symbols: string[] | null) => setting("oanda", { server: "practice" }, { secrets, symbols });
    expect(() => open(oanda(null), simulated())).toThrow(
      "oanda finds its symbols only when it runs, so what is left for simulated is unknown: list the symbols of oanda, or",
    );
    expect(open(oanda(null)).names()).toEqual(["oanda"]);
    expect(open(oanda(["EUR_USD"]), simulated()).set.past?.symbols).not.toContain("EURUSD");
    const everything = setting("kraken", {}, { symbols: "all" });
    expect(() => open(everything, simulated())).toThrow("kraken finds its symbols only when it runs");
    expect(open(everything).names()).toEqual(["kraken"]);
  });

  test("starts and stops only what differs", async () => {
    const { set, changes, names } = open(simulated());
    await set.start();
    const before = set.sources[0]?.member;
    expect(await set.apply(toSettings([simulated()]))).toEqual({ added: [], removed: [], changed: [] });
    expect(await set.apply(toSettings([simulated({ expectedRate: 2, priority: 3 })]))).toEqual({
      added: [],
      removed: [],
      changed: SIMULATED,
    });
    // No connection was ended for it, so the prices stay.
    expect(set.sources[0]?.member).toBe(before);
    expect(set.sources[0]?.setting.expectedRate).toBe(2);
    expect(changes.at(-1)?.dropped).toEqual([]);

    const dir = record();
    expect(await set.apply(toSettings([replay(dir), simulated()]))).toMatchObject({ added: ["oanda"] });
    // The simulation goes on with what is left to it.
    expect(set.sources[1]?.member).toBe(before);
    expect(changes.at(-1)).toEqual({
      sources: ["oanda", ...SIMULATED],
      dropped: SIMULATED.map((name) => `${name} EURUSD`),
      lost: [],
    });
    expect(await set.apply(toSettings([replay(dir)]))).toMatchObject({ removed: SIMULATED, changed: [] });
    expect(names()).toEqual(["oanda"]);
    await set.stop();
  });

  test("drops only the quotes that a change concerns, also where a connection begins anew", async () => {
    const kraken = (symbols: string[], more: Partial<FeedSetting> = {}) =>
      setting("kraken", {}, { symbols, aliases: { "BTC/USD": "BTCUSD", "ETH/USD": "ETHUSD" }, ...more });
    const mt5 = (symbols: string[] | null) => setting("mt5", {}, { name: "terminal", symbols });
    const { set, changes } = open(mt5(null), kraken(["BTC/USD", "ETH/USD"]), simulated());
    const apply = async (...feeds: FeedSetting[]) => {
      await set.apply(toSettings(feeds));
      return changes.at(-1);
    };
    const both = kraken(["BTC/USD", "ETH/USD"]);
    // What a terminal has sent is known only afterwards.
    expect(await apply(mt5(["EURUSD"]), both, simulated())).toMatchObject({
      dropped: SIMULATED.map((name) => `${name} EURUSD`),
      lost: [],
    });
    expect(await apply(mt5(["EURUSD", "NEWCOIN"]), both, simulated())).toMatchObject({ dropped: [], lost: [] });
    expect(await apply(mt5(["EURUSD"]), kraken(["BTC/USD"]), simulated())).toMatchObject({
      dropped: ["kraken ETHUSD"],
      lost: ["kraken"],
    });
    expect(await apply(mt5(["EURUSD"]), kraken(["BTC/USD"], { secrets: { token: "new" } }))).toMatchObject({
      dropped: SIMULATED,
      lost: [...SIMULATED, "kraken"],
    });
    const elsewhere = setting("kraken", { url: "wss://prices.example.com" }, { symbols: ["BTC/USD"] });
    expect(await apply(mt5(["EURUSD"]), elsewhere)).toMatchObject({ dropped: ["kraken"], lost: ["kraken"] });
  });

  test("changes nothing when a new feed cannot be created", async () => {
    const { set, changes, names } = open(simulated());
    await set.start();
    await expect(set.apply(toSettings([replay("/no/such/folder")]))).rejects.toThrow(/no\/such\/folder/);
    await expect(set.apply(toSettings([replay(record(), { time: "own" })]))).rejects.toThrow("start it again");
    expect(names()).toEqual(SIMULATED);
    expect(changes).toEqual([]);
    await set.stop();
  });

  test("refuses two sources of one name, and a clock beside the present", () => {
    const dir = record();
    expect(() => open(replay(dir), { ...replay(dir), name: "again" })).toThrow("Two feeds have a source named oanda");
    expect(() => open(replay(dir, { time: "own" }), simulated())).toThrow("must be the only feed");
  });

  test("hears nothing of a paused source, and ends a feed without any other", async () => {
    const { set, changes, ticks, statuses, symbolsOf, until } = open(replay(record()), simulated());
    await set.setPaused(new Set(["alpha-markets", "oanda"]));
    expect(changes.at(-1)?.dropped).toEqual(["alpha-markets", "oanda"]);
    await set.start();
    await until(() => symbolsOf("borealis-fx").size > 20);
    expect(new Set(ticks.map(({ source }) => source)).has("alpha-markets")).toBe(false);
    expect(symbolsOf("oanda").size).toBe(0);
    const listConnected = () => statuses.filter((status) => status.startsWith("alpha-markets connected"));
    expect(listConnected()).toEqual([]);
    await set.setPaused(new Set());
    // Its feed went on for the other sources, and reports no connection anew.
    expect(listConnected()).toHaveLength(1);
    await until(() => symbolsOf("oanda").size > 0 && symbolsOf("alpha-markets").size > 0);
    await set.stop();
  });
});
