import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { SymbolChoice } from "@/lib/feeds/feed-kind";
import { createEntrySchema } from "@/lib/feeds/settings/source-entry";
import { createFixFeed, fixKind, type FixSettings, PROFILES } from "@/lib/feeds/venues/fix/fix-feed";
import { silentLog } from "@/lib/platform/log/log";

const create = (settings: FixSettings, symbols: SymbolChoice, password = "secret") =>
  createFixFeed({
    ...{ name: "lp", now: Date.now, monotonic: Date.now, random: () => 0, recorder: null, log: silentLog },
    ...{ settings, symbols, user: "demo", password },
  });

describe("the settings of a FIX source", () => {
  const generic = { profile: "generic", host: "localhost", port: 1, senderCompId: "ME", targetCompId: "LP" } as const;

  test("are complete with those of the profile", () => {
    expect(create({ profile: "lmax" }, ["4001"]).sources).toEqual([{ name: "lp", mode: "live" }]);
    expect(() => create({ profile: "ctrader", host: "localhost", senderCompId: "live.x.1" }, ["1"])).not.toThrow();
    expect(() => create(generic, ["EUR/USD"])).not.toThrow();
  });

  test("may leave numbers to the venue's list", () => {
    const listing = { profile: "lmax", securityList: 4 } as const;
    expect(() => create(listing, ["EUR/USD"])).not.toThrow();
    expect(() => create(listing, "all")).not.toThrow();
  });

  test.each<[FixSettings, SymbolChoice, string]>([
    [{ profile: "ctrader", senderCompId: "live.x.1" }, ["1"], "needs host and port"],
    [{ profile: "ctrader", host: "localhost" }, ["1"], "needs senderCompId"],
    [{ ...generic, targetCompId: undefined }, ["EUR/USD"], "needs targetCompId"],
    [{ profile: "lmax" }, [], "needs symbols in the venue's spelling"],
    [{ profile: "lmax" }, "all", "needs securityList for all symbols"],
    [{ profile: "lmax" }, ["4001", "EUR/USD"], "has the symbol EUR/USD, which is not a number of the venue"],
    [generic, ["EUR\x01USD"], "which cannot be sent"],
  ])("that cannot work are an error: %j with the symbols %j", (settings, symbols, message) => {
    expect(() => create(settings, symbols)).toThrow(message);
  });

  test("never show a password", () => {
    expect(() => create({ profile: "lmax" }, ["4001"], "top\x01secret")).toThrow(
      /^The user or password of the source lp cannot be sent\.$/,
    );
  });

  test("are checked in the file of settings", () => {
    const schema = createEntrySchema(fixKind);
    const entry = { kind: "fix", profile: "lmax", symbols: ["4001"], aliases: { "4001": "EURUSD" } };
    expect(schema.safeParse(entry).success).toBe(true);
    for (const wrong of [
      { profile: "oanda" },
      { marketDepth: 2 },
      { port: 0 },
      { senderCompId: "a\x01b" },
      { hots: "x" },
    ]) {
      expect(schema.safeParse({ ...entry, ...wrong }).success).toBe(false);
    }
  });
});

test("The manual has each setting with its value in each profile", () => {
  const lines = readFileSync("docs/fix.md", "utf8").split("\n");
  const rows = lines.flatMap((line) => {
    const [, name, , ...values] = line.split("|").map((cell) => cell.trim());
    return name !== undefined && /^`\w+`$/.test(name) ? [[name.slice(1, -1), values.slice(0, 3)] as const] : [];
  });
  expect(rows.map(([name]) => name)).toEqual(Object.keys(fixKind.settings));
  for (const [name, values] of rows.filter(([each]) => each !== "profile" && each !== "senderCompId")) {
    const expected = Object.values(PROFILES).map((profile) => {
      const value = (profile as Readonly<Record<string, unknown>>)[name];
      return value === undefined
        ? "needed"
        : typeof value === "string" && value !== ""
          ? `\`${value}\``
          : String(value);
    });
    expect([name, ...values]).toEqual([name, ...expected]);
  }
});
