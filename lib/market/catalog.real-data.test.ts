import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";

/** Compares the catalog and the resolver with the symbol lists that brokers and vendors publish. */

const folder = join(process.env.SPOTLINE_REAL_DATA ?? "../shared/data", "symbols");
const isPresent = existsSync(folder);
if (!isPresent) process.stdout.write(`SKIPPED: no real symbol data at ${folder}; set SPOTLINE_REAL_DATA to check it\n`);

const resolver = createResolver(instruments);
const read = (path: string) => readFileSync(join(folder, path));
const report = (text: string) => process.stdout.write(`${text}\n`);

const dukascopyShape = z.object({
  instruments: z.array(z.object({ code: z.string(), pipValue: z.number(), priceScale: z.number().nullable() })),
});
function readDukascopyInstruments() {
  const text = gunzipSync(read("dukascopy_node/raw-meta-data-2026-07-13.json.gz")).toString();
  return dukascopyShape.parse(JSON.parse(text)).instruments;
}

describe.skipIf(!isPresent)("the catalog and real symbol lists", () => {
  test("every name of fifty instruments at nine brokers resolves to the broker's instrument", () => {
    const lists = z
      .record(z.string(), z.union([z.array(z.string()), z.record(z.string(), z.number())]))
      .parse(JSON.parse(read("broker_mappings/mappings.json").toString()));
    const readNames = (key: string) => z.array(z.string()).parse(lists[key]);
    const resolved = readNames("symbols").map((name) => resolver.find(name)?.symbol ?? `unknown ${name}`);
    const brokers = Object.keys(lists).filter((key) => /^symbols_(?!digits)/.test(key));
    const misread = brokers.flatMap((broker) =>
      readNames(broker)
        .map((name, at) => ({ broker, name, meant: resolved[at], understood: resolver.find(name)?.symbol }))
        .filter(({ meant, understood }) => meant !== understood),
    );
    const total = brokers.reduce((sum, broker) => sum + readNames(broker).length, 0);
    report(`broker names understood: ${total - misread.length} of ${total}, ${brokers.length} brokers`);
    expect(misread).toEqual([]);
    expect(brokers).toHaveLength(9);
  });

  test("prices keep every digit those brokers quote", () => {
    const lists = z.record(z.string(), z.unknown()).parse(JSON.parse(read("broker_mappings/mappings.json").toString()));
    const digitLists = Object.keys(lists).filter((key) => key.startsWith("symbols_digits"));
    const tooCoarse = digitLists.flatMap((key) =>
      Object.entries(z.record(z.string(), z.number()).parse(lists[key]))
        .map(([name, digits]) => ({ name, digits, resolved: resolver.find(name)?.digits ?? -1 }))
        .filter(({ digits, resolved }) => resolved < digits),
    );
    expect(tooCoarse).toEqual([]);
  });

  test("pips and digits agree with Dukascopy's, except for the choices that the catalog explains", () => {
    const known = readDukascopyInstruments().flatMap((listed) => {
      const resolved = resolver.find(listed.code);
      return resolved === undefined ? [] : [{ ...listed, resolved }];
    });
    // Index pips are whole points here; a coin of cents has its pip at the fourth decimal; USDTHB follows THB's rule.
    const compared = known.filter(({ resolved }) => resolved.category !== "indices");
    const differing = compared
      .filter(({ resolved, pipValue }) => resolved.pipSize !== pipValue)
      .map(({ resolved }) => resolved.symbol);
    report(`Dukascopy instruments recognised: ${known.length}, pips compared: ${compared.length}`);
    expect(differing.sort()).toEqual(["ADAUSD", "USDTHB"]);
    const currencies = known.filter(({ resolved }) => resolved.category === "forex" || resolved.category === "metals");
    const otherDigits = currencies.filter(
      ({ resolved, priceScale }) => priceScale !== null && resolved.digits !== priceScale,
    );
    expect(otherDigits.map(({ resolved }) => resolved.symbol)).toEqual(["USDTHB"]);
  });

  test("no name on Dukascopy's list of 1,499 resolves to another instrument", () => {
    const understood = readDukascopyInstruments()
      .map(({ code }) => ({ code, resolved: resolver.find(code) }))
      .filter(({ resolved }) => resolved !== undefined);
    const symbols = understood.map(({ resolved }) => resolved?.symbol);
    expect(new Set(symbols).size).toBe(symbols.length);
    for (const { code, resolved } of understood) expect(code.endsWith(`-${resolved?.quote}`), code).toBe(true);
  });

  test("currencies, metals and CFDs of two other brokers are priced in the currency that the brokers list", () => {
    const rows = read("lean/symbol-properties-database.csv").toString().split("\n");
    const quoted = rows
      .map((row) => row.split(","))
      .filter(([market, , type]) => /^(?:oanda|fxcm)$/.test(market ?? "") && /^(?:cfd|forex)$/.test(type ?? ""))
      .map(([, name = "", , , currency]) => ({ name, currency, resolved: resolver.find(name) }));
    const found = quoted.filter(({ resolved }) => resolved !== undefined);
    report(`OANDA and FXCM names understood: ${found.length} of ${quoted.length}`);
    // FXCM lists the Australian index in USD; its name and all other sources have AUD.
    const differing = found.filter(({ resolved, currency }) => resolved?.quote !== currency).map(({ name }) => name);
    expect(differing).toEqual(["AU200AUD"]);
  });
});
