import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createAlertScene } from "@/lib/alerts/alert-scene.fixture";
import { readFence } from "@/lib/history/recording/lease.fixture";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const PRICE = { type: "price", symbol: "EURUSD", level: 1.1, direction: "up", price: "bid" };

describe("alerts", () => {
  let scene: Awaited<ReturnType<typeof createAlertScene>>;
  beforeEach(async () => {
    scene = await createAlertScene(testDatabase.db);
    return () => scene.stop();
  });

  test("An alert that fires once writes one firing, and is not active afterwards", async () => {
    await scene.pass(0);
    const before = scene.engine.size;
    const { id } = await scene.create(PRICE, { cooldownS: null });
    expect(scene.engine.size).toBe(before + 1);
    for (const bid of [1.09, 1.1001, 1.09, 1.11]) await scene.quote(bid);
    expect(await scene.readMessages()).toEqual(["EURUSD crossed 1.10000: bid 1.10010, ask 1.10030."]);
    expect(await scene.alerts.find(scene.account.id, id)).toMatchObject({ active: false, firings: 1 });
    expect(scene.engine.size).toBe(before);
    await scene.alerts.update(id, { active: true }, scene.caller);
    await scene.pass(0);
    for (const bid of [1.09, 1.12]) await scene.quote(bid);
    expect(await scene.readMessages()).toHaveLength(2);
  });

  test("An alert that repeats does not fire within its cool-down", async () => {
    await scene.create(PRICE, { cooldownS: 60 });
    for (const bid of [1.09, 1.11, 1.09, 1.12]) await scene.quote(bid);
    expect(await scene.readMessages()).toHaveLength(1);
    await scene.pass(MINUTE_MS);
    await scene.quote(1.09);
    await scene.quote(1.13);
    expect((await scene.readMessages()).map((text) => text.slice(0, 39))).toEqual([
      "EURUSD crossed 1.10000: bid 1.11000, as",
      "EURUSD crossed 1.10000: bid 1.13000, as",
    ]);
  });

  test("A level that is crossed while the server is down fires once at the first price", async () => {
    await scene.create(PRICE);
    await scene.quote(1.09);
    await scene.pass(0);
    await scene.restart();
    await scene.quote(1.2);
    await scene.restart();
    await scene.quote(1.21);
    expect(await scene.readMessages()).toHaveLength(1);
  });

  test("Two servers with the same prices write one firing", async () => {
    await scene.create(PRICE);
    const engines = [scene.engine, scene.createEngine(), scene.createEngine()];
    for (const engine of engines) await engine.check();
    for (const bid of [1.09, 1.11, 1.12]) await scene.quote(bid, { engines });
    expect(await scene.readMessages()).toHaveLength(1);
    await scene.pass(MINUTE_MS);
    for (const bid of [1.09, 1.11, 1.12]) await scene.quote(bid, { engines });
    expect(await scene.readMessages()).toHaveLength(2);
  });

  test("A server that another one has taken over from writes no firing and no state", async () => {
    const { id } = await scene.create(PRICE);
    const readState = async () => (await testDatabase.db.prisma.alert.findUnique({ where: { id } }))?.state;
    await scene.quote(1.09);
    await scene.pass(0);
    const state = await readState();
    const former = scene.createEngine((await readFence(testDatabase.db.pool)) - 1);
    await former.check();
    await scene.quote(1.11, { engines: [former] });
    await former.check();
    expect(await scene.readMessages()).toEqual([]);
    expect(await readState()).toEqual(state);
    await scene.quote(1.11);
    expect(await scene.readMessages()).toHaveLength(1);
  });

  test("A price of a source that is not served, a stale and a crossed one do not fire", async () => {
    await scene.create(PRICE);
    await scene.quote(1.09);
    await scene.quote(1.2, { source: "second" });
    await scene.quote(1.2, { spread: -0.0001 });
    expect(await scene.readMessages()).toEqual([]);
    await scene.quote(1.09);
    await scene.pass(HOUR_MS);
    expect(await scene.readMessages()).toEqual([]);
  });

  test("The alerts of a suspended account do not fire, also not for what they missed", async () => {
    await scene.create(PRICE);
    await scene.quote(1.09);
    await scene.suspend(true);
    await scene.quote(1.11);
    await scene.suspend(false);
    await scene.quote(1.12);
    expect(await scene.readMessages()).toEqual([]);
    await scene.quote(1.09);
    await scene.quote(1.12);
    expect(await scene.readMessages()).toHaveLength(1);
  });

  test("A changed level begins anew, and a changed name does not", async () => {
    const { id } = await scene.create(PRICE);
    await scene.quote(1.09);
    await scene.alerts.update(id, { name: "a name" }, scene.caller);
    await scene.pass(0);
    await scene.quote(1.11);
    expect(await scene.readMessages()).toHaveLength(1);
    await scene.alerts.update(id, { condition: { ...PRICE, level: 1.2 } as never }, scene.caller);
    await scene.pass(MINUTE_MS);
    await scene.quote(1.3);
    expect(await scene.readMessages()).toHaveLength(1);
    await scene.quote(1.19);
    await scene.quote(1.3);
    expect(await scene.readMessages()).toHaveLength(2);
  });

  test("An alert on an indicator fires at the bar at which it has crossed, once, and not while the bar is the same", async () => {
    const rsi = {
      type: "indicator",
      symbol: "eur/usd",
      timeframe: "h1",
      indicator: "RSI_14",
      level: 70,
      direction: "up",
    };
    const { id } = await scene.create({ ...rsi, against: null });
    expect((await scene.alerts.find(scene.account.id, id))?.name).toBe("EURUSD RSI_14 of H1 crosses above 70");
    const close = async (value: number | null) => {
      const barEndMs = scene.now();
      scene.past.crossing = { value, against: 70, barEndMs, nextCloseMs: barEndMs + HOUR_MS };
      await scene.pass(5 * SECOND_MS);
      await scene.pass(HOUR_MS - 5 * SECOND_MS);
    };
    for (const value of [65, 68.5, null, 71.25, 72, 69, 75]) await close(value);
    expect(await scene.readMessages()).toEqual([
      "EURUSD RSI_14 of H1 crossed above 70: 71.25 at the bar that closed at 15:00 UTC.",
      "EURUSD RSI_14 of H1 crossed above 70: 75 at the bar that closed at 18:00 UTC.",
    ]);
  });

  test.each([
    [
      { indicator: "RSI_21", level: 50 },
      { indicator: "RSI_21", level: 50, against: null },
    ],
    [
      { indicator: "close", against: "EMA_50" },
      { indicator: "close", level: null, against: "EMA_50" },
    ],
    [{ indicator: "NOPE_3", level: 1 }, "no indicator “NOPE_3”"],
    [{ indicator: "EMA_50", against: "EMA_50" }, "does not cross itself"],
    [{ indicator: "RSI_14", level: 1, timeframe: "S5" }, "a minute or more"],
  ] as const)("The condition %o on an indicator is stored as %o, or refused with it", async (given, wanted) => {
    const usual = {
      type: "indicator",
      symbol: "EURUSD",
      timeframe: "M5",
      direction: "either",
      level: null,
      against: null,
    };
    const creating = scene.create({ ...usual, ...given });
    if (typeof wanted === "string") await expect(creating).rejects.toThrow(wanted);
    else expect((await creating).condition).toMatchObject(wanted);
  });

  /** Bars of an hour that opened at these times. */
  const hours = (...times: number[]) =>
    times.map((timeMs) => ({ timeMs, open: 1.1, high: 1.1, low: 1.1, close: 1.1, volume: 1 }));
  /** A line that rises by ten pips an hour. */
  const rising = (fromMs: number, settings: object = {}) => ({
    ...{ type: "line", symbol: "EURUSD", timeframe: "H1", scale: "linear", direction: "either", price: "bid" },
    from: { time: new Date(fromMs).toISOString(), price: 1.1 },
    to: { time: new Date(fromMs + 2 * HOUR_MS).toISOString(), price: 1.102 },
    ...{ extend: "right", drawing: null, ...settings },
  });

  test("An alert on a line fires at the level of the moment, once, also with two servers and after a restart", async () => {
    const at = scene.now();
    scene.past.bars = hours(at - 2 * HOUR_MS, at - HOUR_MS, at);
    const { name } = await scene.create(rising(at - 2 * HOUR_MS));
    expect(name).toBe("EURUSD bid crosses the line 1.10000 (2026-07-15 10:00) to 1.10200 (2026-07-15 12:00)");
    const engines = [scene.engine, scene.createEngine()];
    for (const engine of engines) await engine.check();
    await scene.quote(1.1035, { engines });
    await scene.pass(HOUR_MS);
    await scene.quote(1.1035, { engines });
    expect(await scene.readMessages()).toEqual([]);
    await scene.pass(0);
    scene.past.bars = hours(at - 2 * HOUR_MS, at - HOUR_MS, at, at + HOUR_MS);
    await scene.restart();
    await scene.pass(HOUR_MS);
    await scene.quote(1.1035, { engines: [scene.engine, ...engines] });
    await scene.quote(1.1035);
    expect(await scene.readMessages()).toEqual(["EURUSD crossed its line at 1.10400: bid 1.10350, ask 1.10370."]);
  });

  test("A line stands still while the market is closed, and a gap over it fires at the first price", async () => {
    const friday = Date.UTC(2026, 6, 17, 18);
    scene.past.bars = hours(friday, friday + HOUR_MS, friday + 2 * HOUR_MS);
    await scene.pass(friday + 2.9 * HOUR_MS - scene.now());
    await scene.create(rising(friday));
    await scene.create(rising(friday, { direction: "up" }));
    await scene.quote(1.104);
    // Sunday, when New York opens.
    await scene.pass(Date.UTC(2026, 6, 19, 21) - scene.now());
    await scene.quote(1.1031);
    expect(await scene.readMessages()).toEqual([]);
    await scene.quote(1.1029);
    expect(await scene.readMessages()).toEqual(["EURUSD crossed its line at 1.10300: bid 1.10290, ask 1.10310."]);
  });

  test("A moved line begins anew, and a line that is over ends its alert without firing", async () => {
    const at = scene.now();
    scene.past.bars = hours(at - 2 * HOUR_MS, at - HOUR_MS, at);
    const { id } = await scene.create(rising(at - 2 * HOUR_MS));
    await scene.quote(1.104);
    const until = { time: new Date(at + HOUR_MS / 2).toISOString(), price: 1.112 };
    const moved = rising(at - 1.5 * HOUR_MS, { to: until, extend: "none", direction: "down" });
    const condition = { ...moved, from: { ...moved.from, price: 1.11 } } as never;
    await scene.alerts.update(id, { condition }, scene.caller);
    await scene.pass(0);
    await scene.quote(1.1);
    expect(await scene.readMessages()).toEqual([]);
    await scene.quote(1.115);
    const before = scene.engine.size;
    await scene.pass(HOUR_MS);
    await scene.quote(1.1);
    expect(scene.engine.size).toBe(before - 1);
    expect(await scene.readMessages()).toEqual([]);
    expect(await scene.alerts.find(scene.account.id, id)).toMatchObject({ active: false, firings: 0 });
    await expect(scene.alerts.update(id, { active: true }, scene.caller)).rejects.toThrow("The line has ended");
    const drawing = "00000000-0000-4000-8000-000000000000";
    await expect(scene.create(rising(at, { drawing }))).rejects.toThrow("no such drawing on the chart of EURUSD");
  });

  test("An alert that was deleted or paused does not fire", async () => {
    await scene.pass(0);
    const before = scene.engine.size;
    const deleted = await scene.create(PRICE);
    const paused = await scene.create(PRICE);
    await scene.quote(1.09);
    await scene.alerts.remove(deleted.id, scene.caller);
    await scene.alerts.update(paused.id, { active: false }, scene.caller);
    // The engine has not seen the change yet.
    await scene.quote(1.11);
    expect(await scene.readMessages()).toEqual([]);
    await scene.pass(0);
    expect(scene.engine.size).toBe(before);
  });

  test("A move counts recorded prices from before the start", async () => {
    const timeMs = scene.now() - 10 * MINUTE_MS;
    scene.past.bars = [{ timeMs, open: 1.1, high: 1.1, low: 1.1, close: 1.1, volume: 1 }];
    await scene.create({ type: "move", symbol: "EURUSD", percent: 1, minutes: 30, direction: "either" });
    for (const bid of [1.105, 1.112, 1.113]) await scene.quote(bid);
    expect(await scene.readMessages()).toEqual(["EURUSD rose by 1.09 % within 30 min: bid 1.11200, ask 1.11220."]);
    await scene.pass(31 * MINUTE_MS);
    for (const bid of [1.112, 1.1]) await scene.quote(bid);
    expect((await scene.readMessages())[1]).toContain("EURUSD fell by 1.08 % within 30 min");
  });

  test("A spread fires above its usual, and a symbol without a usual spread does not", async () => {
    await scene.create({ type: "spread", symbol: "EURUSD" });
    await scene.quote(1.1, { spread: 0.0002 });
    await scene.quote(1.1, { spread: 0.0009 });
    scene.past.usual.set("EURUSD", { p5: 0.00005, p95: 0.0003 });
    await scene.pass(0);
    await scene.quote(1.1, { spread: 0.0003 });
    await scene.quote(1.1, { spread: 0.00031 });
    expect(await scene.readMessages()).toEqual([
      "EURUSD spread is 3.1 pips, above its usual 3: bid 1.10000, ask 1.10031.",
    ]);
  });

  test("A change of the state by time alone fires", async () => {
    await scene.create({ type: "state", symbol: "EURUSD", states: ["stale"] });
    await scene.quote(1.1);
    await scene.pass(6 * SECOND_MS);
    await scene.pass(HOUR_MS);
    await scene.pass(SECOND_MS);
    expect(await scene.readMessages()).toEqual(["EURUSD is now stale: bid 1.10000, ask 1.10020."]);
  });

  test("Figures fire once each when they are published, also across a restart", async () => {
    const at = scene.now();
    scene.report("a", at - HOUR_MS, { actual: "0.1%" });
    await scene.create({ type: "release", currencies: ["USD"], impacts: ["high"], search: "" }, { cooldownS: 0 });
    scene.report("b", at);
    scene.report("c", at, { currency: "EUR", actual: "1" });
    await scene.pass(SECOND_MS);
    expect(await scene.readMessages()).toEqual([]);
    scene.report("b", at, { actual: "0.4%" });
    scene.report("d", at, { title: "Core CPI", actual: "0.5%" });
    await scene.pass(SECOND_MS);
    const expected = [
      "USD CPI: 0.4%, forecast 0.3%, previous 0.2%.",
      "USD Core CPI: 0.5%, forecast 0.3%, previous 0.2%.",
    ];
    expect((await scene.readMessages()).toSorted()).toEqual(expected);
    await scene.restart();
    await scene.pass(SECOND_MS);
    expect(await scene.readMessages()).toHaveLength(2);
  });

  test("An event fires once before it, again if it moves, and not again for an alert that is activated again", async () => {
    const at = scene.now() + HOUR_MS;
    scene.report("a", at);
    const { id } = await scene.create(
      { type: "upcoming", minutes: 15, currencies: [], impacts: [], search: "cp" },
      { cooldownS: 0 },
    );
    await scene.pass(44 * MINUTE_MS);
    expect(await scene.readMessages()).toEqual([]);
    await scene.pass(MINUTE_MS);
    await scene.pass(SECOND_MS);
    expect(await scene.readMessages()).toEqual(["USD CPI is due in 15 min, high impact."]);
    await scene.alerts.update(id, { active: false }, scene.caller);
    await scene.alerts.update(id, { active: true }, scene.caller);
    await scene.pass(SECOND_MS);
    await scene.pass(SECOND_MS);
    expect(await scene.readMessages()).toHaveLength(1);
    scene.report("a", at + HOUR_MS);
    await scene.pass(HOUR_MS);
    expect(await scene.readMessages()).toHaveLength(2);
  });

  test("A plan that no longer includes the data ends the firing", async () => {
    const free = await createAlertScene(testDatabase.db, "free");
    await expect(
      free.create({ type: "upcoming", minutes: 15, currencies: [], impacts: [], search: "" }),
    ).rejects.toThrow("Your plan does not include the calendar");
    const operator = { ...free.caller, reader: { role: "operator", plan: "free" } } as const;
    const condition = { type: "upcoming", minutes: 15, currencies: [], impacts: [], search: "" } as const;
    const rest = { name: "", cooldownS: 0, active: true, webhookId: null, byMail: false, byPush: false };
    await free.alerts.create({ ...rest, condition: { ...condition, currencies: [], impacts: [] } }, operator);
    free.report("a", free.now() + MINUTE_MS);
    await free.pass(0);
    expect(await free.readMessages()).toEqual([]);
    free.stop();
  });
});
