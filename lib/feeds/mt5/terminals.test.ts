import { expect, test } from "vitest";
import { addTerminals } from "@/lib/feeds/mt5/terminals";
import type { FeedSetting } from "@/lib/feeds/settings/feed-setting";

const setting = (kind: string, more: Partial<FeedSetting> = {}): FeedSetting => ({
  ...{ name: kind, kind, priority: 1, symbols: null, aliases: {}, hours: null, expectedRate: null },
  ...{ settings: {}, secrets: {}, ...more },
});
const add = (feeds: FeedSetting[], ...terminals: [string, ...string[]][]) =>
  addTerminals(
    { feeds, sourcePriority: [], file: null },
    terminals.map(([source, ...symbols]) => ({ source, symbols })),
  ).feeds.map(({ name, kind, symbols }) => [name, kind, symbols]);

test("A terminal comes after the sources that are set up, and before the simulation.", () => {
  expect(add([setting("simulated"), setting("kraken")], ["icm", "EURUSDm"], ["new"])).toEqual([
    ["kraken", "kraken", null],
    ["icm", "mt5", ["EURUSDm"]],
    ["new", "mt5", null],
    ["simulated", "simulated", null],
  ]);
});

test("An entry of the terminal's name keeps its settings, and another source keeps its name.", () => {
  const feeds = [setting("mt5", { name: "icm" }), setting("kraken")];
  expect(add(feeds, ["icm", "EURUSDm"], ["kraken", "EURUSD"])).toEqual([
    ["icm", "mt5", ["EURUSDm"]],
    ["kraken", "kraken", null],
  ]);
});

test("Beside a replay at its own time there is no terminal.", () => {
  expect(add([setting("replay", { settings: { time: "own" } })], ["icm"])).toEqual([["replay", "replay", null]]);
});
