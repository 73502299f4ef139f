import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { FeedSettings } from "@/lib/feeds/settings/feed-setting";
import { loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { loadConfig } from "@/lib/platform/config";

const folder = mkdtempSync(join(tmpdir(), "spotline-config-"));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
/** Loads the settings of a file with this text. */
function loadFile(text: string, env: Record<string, string> = {}, extension = "ts"): Promise<FeedSettings> {
  const file = join(folder, `settings-${++files}.${extension}`);
  writeFileSync(file, text);
  return load({ SPOTLINE_CONFIG: file, ...env });
}

function load(env: Record<string, string>): Promise<FeedSettings> {
  return loadFeedSettings(loadConfig(env), env);
}

const defineSources = (sources: string) =>
  `import { defineSpotline } from "spotline";\nexport default defineSpotline({ sources: [${sources}] });`;

/** The lines of the message, without the first and without the file's number. */
async function findFaults(settings: Promise<unknown>): Promise<string[]> {
  const error = await settings.then(
    () => new Error("\nnothing was wrong"),
    (thrown: Error) => thrown,
  );
  return error.message
    .split("\n")
    .slice(1)
    .map((line) => line.trim().replace(/settings-\d+/, "settings"));
}

describe("the feeds of SPOTLINE_FEED", () => {
  test("are the simulated market by default", async () => {
    const { feeds, file } = await load({ SPOTLINE_SIMULATED_SEED: "seven" });
    expect(file).toBeNull();
    expect(feeds).toMatchObject([
      { name: "simulated", kind: "simulated", settings: { seed: "seven", trading: "always" }, secrets: {} },
    ]);
  });

  test("are several, each named once, with the settings of the environment", async () => {
    const { feeds } = await load({ SPOTLINE_FEED: "replay, simulated,replay", SPOTLINE_REPLAY_DIR: tmpdir() });
    expect(feeds.map(({ name }) => name)).toEqual(["replay", "simulated"]);
    expect(feeds[0]?.settings).toMatchObject({ dir: tmpdir(), speed: 1, time: "now" });
  });

  test.each([
    [{ SPOTLINE_FEED: "simulate" }, /^SPOTLINE_FEED: must be simulated,? .*; did you mean simulated\?$/],
    [{ SPOTLINE_FEED: "simulated,carrier-pigeon" }, /^SPOTLINE_FEED: must be simulated/],
    [
      { SPOTLINE_INJEST_TOKEN: "x" },
      /^SPOTLINE_INJEST_TOKEN: is not a setting, and no source has this secret; remove it$/,
    ],
    [
      { SPOTLINE_FEED: "replay", SPOTLINE_REPLAY_DIR: "/no/such/folder" },
      /^SPOTLINE_FEED: replay\.dir: there is no folder \/no\/such\/folder$/,
    ],
    [{ SPOTLINE_CONFIG: "/no/such/file.ts" }, /^SPOTLINE_CONFIG: there is no file \/no\/such\/file\.ts$/],
  ])("are refused with one line: %o", async (env, line) => {
    expect(await findFaults(load(env))).toEqual([expect.stringMatching(line) as string]);
  });
});

describe("a venue", () => {
  test("needs no more than its name if it is public", async () => {
    const { feeds } = await load({ SPOTLINE_FEED: "kraken,simulated" });
    expect(feeds[0]).toMatchObject({ name: "kraken", symbols: null, aliases: { "BTC/USD": "BTCUSD" }, secrets: {} });
  });

  test("has its token from the environment, by the name of the source or of the kind", async () => {
    const { feeds } = await loadFile(
      defineSources(`{ kind: "massive", name: "my-massive" }, { kind: "massive", name: "other" }`),
      { SPOTLINE_MASSIVE_TOKEN: "shared", SPOTLINE_MY_MASSIVE_TOKEN: "own" },
    );
    expect(feeds.map(({ secrets }) => secrets)).toEqual([{ token: "own" }, { token: "shared" }]);
    expect(await findFaults(load({ SPOTLINE_FEED: "massive" }))).toEqual([
      expect.stringMatching(/^SPOTLINE_MASSIVE_TOKEN: needed by the source massive: an API key/) as string,
    ]);
  });

  test("may ask for everything that it lists, if it lists its symbols", async () => {
    const { feeds } = await loadFile(defineSources(`{ kind: "kraken", symbols: "all" }`));
    expect(feeds[0]?.symbols).toBe("all");
    const wrong = defineSources(`{ kind: "tradermade", symbols: "all" }, { kind: "kraken", symbols: "every" }`);
    const key = { SPOTLINE_TRADERMADE_TOKEN: "key" };
    expect(await findFaults(loadFile(wrong, key))).toEqual([
      "settings.ts: sources[0].symbols: must be a list of symbols in the venue's spelling",
      `settings.ts: sources[1].symbols: must be "all", or a list of symbols in the venue's spelling`,
    ]);
  });

  test("may ask for other symbols, and knows their names", async () => {
    const { feeds } = await loadFile(
      defineSources(`{ kind: "deriv", symbols: ["frxEURUSD", "OTC_X"], aliases: { OTC_X: "GER40" } }`),
    );
    expect(feeds[0]).toMatchObject({
      symbols: ["frxEURUSD", "OTC_X"],
      aliases: { frxEURUSD: "EURUSD", OTC_X: "GER40" },
    });
  });
});

describe("the file of settings", () => {
  test("is TypeScript, and is sorted by priority", async () => {
    const { feeds, file } = await loadFile(
      defineSources(`
        { kind: "replay", dir: "lib", aliases: { "EURUSD.x": "EURUSD" } },
        { kind: "simulated", priority: 5, hours: "always", expectedRate: 0.5, seed: "other" as string },`),
    );
    expect(file).toContain("settings-");
    expect(feeds.map(({ kind }) => kind)).toEqual(["simulated", "replay"]);
    expect(feeds[0]).toMatchObject({ expectedRate: 0.5, hours: { zone: "UTC" }, settings: { seed: "other" } });
    expect(feeds[1]).toMatchObject({ aliases: { "EURUSD.x": "EURUSD" }, hours: null, symbols: null });
  });

  test("is the example, once it is copied and its recordings exist", async () => {
    const file = "spotline.config.example.ts";
    const { feeds } = await loadFile(readFileSync(file, "utf8").replace('dir: "recordings"', 'dir: "lib"'));
    expect(feeds.map(({ kind }) => kind)).toEqual(["replay", "simulated"]);
  });

  test("says what it says of instruments, and what is wrong there", async () => {
    const define = (instruments: string) =>
      `export default { sources: [{ kind: "simulated" }], instruments: ${instruments} };`;
    const { instruments } = await loadFile(define(`[{ symbol: "BASKET1", digits: 1, hours: "always" }]`));
    expect(instruments).toEqual([{ symbol: "BASKET1", fields: { digits: 1, hours: "always" } }]);
    expect(await findFaults(loadFile(define(`[{ digits: 11, colour: "red" }]`)))).toEqual([
      expect.stringMatching(/^settings\.ts: instruments\[0\]\.digits: /),
      expect.stringMatching(/^settings\.ts: instruments\[0\]\.symbol: /),
      "settings.ts: instruments[0].colour: is not a setting of an instrument; remove it",
    ]);
    expect(await findFaults(loadFile(define(`{}`)))).toEqual([
      `settings.ts: instruments must be a list like [{ symbol: "BASKET1", digits: 1 }]`,
    ]);
  });

  test("is read again after a change", async () => {
    const file = join(folder, "changing.mjs");
    const write = (seed: string) =>
      writeFileSync(file, `export default { sources: [{ kind: "simulated", seed: "${seed}" }] }`);
    for (const seed of ["one", "two"]) {
      write(seed);
      expect((await load({ SPOTLINE_CONFIG: file })).feeds[0]?.settings).toMatchObject({ seed });
    }
  });

  test("may be JSON", async () => {
    const { feeds } = await loadFile(`{ "sources": [{ "kind": "simulated" }] }`, {}, "json");
    expect(feeds).toMatchObject([{ kind: "simulated", settings: { seed: "spotline" } }]);
  });

  test.each([
    [`{ kind: "simulate" }`, /^settings\.ts: sources\[0\]\.kind: must be simulated.*; did you mean simulated\?$/],
    [`{}`, /^settings\.ts: sources\[0\]\.kind: must be simulated/],
    [`"simulated"`, /^settings\.ts: sources\[0\]: must be an object like/],
    [
      `{ kind: "simulated", sed: "x" }`,
      /^settings\.ts: sources\[0\]\.sed: is not a setting of simulated; did you mean seed\?$/,
    ],
    [
      `{ kind: "simulated", apiToken: "x" }`,
      /^settings\.ts: sources\[0\]\.apiToken: does not belong in the file; set SPOTLINE_SIMULATED_API_TOKEN in the environment or in \.env$/,
    ],
    [`{ kind: "simulated", priority: -1 }`, /^settings\.ts: sources\[0\]\.priority: /],
    [
      `{ kind: "simulated", aliases: { A: "eurusd" } }`,
      /^settings\.ts: sources\[0\]\.aliases\.A: must be a symbol of the catalog, like EURUSD$/,
    ],
    [`{ kind: "simulated", hours: "sometimes" }`, /^settings\.ts: sources\[0\]\.hours: must be "always", or a zone/],
    [`{ kind: "replay" }`, /^settings\.ts: sources\[0\]\.dir: /],
    [
      `{ kind: "simulated" }, { kind: "simulated" }`,
      /^settings\.ts: sources\[1\]\.name: simulated is the name of another source too$/,
    ],
    [``, /^settings\.ts: sources must be a list of at least one source$/],
  ])("refuses the sources %s with one line", async (sources, line) => {
    expect(await findFaults(loadFile(defineSources(sources)))).toEqual([expect.stringMatching(line) as string]);
  });

  test.each([
    ["export default {", /^settings\.ts: line 1: /],
    ["const a = 1;", /^settings\.ts: it has no "export default"$/],
    ['throw new Error("broken\\nfile");', /^settings\.ts: broken$/],
    ['import "./no-such-file"; export default {};', /^settings\.ts: line 1: Could not resolve/],
  ])("refuses the text %j with one line", async (text, line) => {
    expect(await findFaults(loadFile(text))).toEqual(
      expect.arrayContaining([expect.stringMatching(line) as string]) as string[],
    );
  });

  test("replaces SPOTLINE_FEED and SPOTLINE_SOURCE_PRIORITY, which are refused beside it", async () => {
    const env = { SPOTLINE_FEED: "simulated", SPOTLINE_SOURCE_PRIORITY: "alpha-markets" };
    expect(await findFaults(loadFile(defineSources(`{ kind: "simulated" }`), env))).toEqual([
      "SPOTLINE_FEED: settings.ts names the sources too; remove one of them",
      "SPOTLINE_SOURCE_PRIORITY: is not used with settings.ts; give its sources a priority there",
    ]);
  });
});
