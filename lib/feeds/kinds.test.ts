import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { FeedKind } from "@/lib/feeds/feed-kind";
import { findKind, KINDS } from "@/lib/feeds/kinds";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import { formatSecretName } from "@/lib/feeds/settings/secrets";
import { createEntrySchema } from "@/lib/feeds/settings/source-entry";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { SETTING_NAMES } from "@/lib/platform/config";
import { silentLog } from "@/lib/platform/log/log";
import { listSourceSecrets } from "@/lib/platform/settings/settings";

test.each([".env.example", "docs/operating.md"])("%s names every kind", (file) => {
  const text = readFileSync(file, "utf8");
  expect(KINDS.map(({ kind }) => kind).filter((kind) => !text.includes(kind))).toEqual([]);
});

const SECRETS = KINDS.flatMap(({ kind, secrets }) => Object.keys(secrets).map((name) => formatSecretName(kind, name)));

test(".env.example has the secrets of all kinds, and no other", () => {
  const text = readFileSync(".env.example", "utf8");
  const listed = Array.from(text.matchAll(/^#([A-Z0-9_]+)=/gm), ([, name = ""]) => [name, ""]);
  const secrets = listSourceSecrets(Object.fromEntries(listed) as Record<string, string>, SETTING_NAMES);
  expect(secrets.sort()).toEqual(SECRETS.toSorted());
});

test("docs/sources.md lists every kind once, with the variables that it needs", () => {
  const rows = Array.from(readFileSync("docs/sources.md", "utf8").matchAll(/^\| `([a-z0-9-]+)` +\|.*$/gm));
  expect(rows.map(([, kind]) => kind).sort()).toEqual(KINDS.map(({ kind }) => kind).toSorted());
  for (const [row, kind] of rows) {
    const { secrets = {} } = KINDS.find((each) => each.kind === kind) ?? {};
    const names = Object.keys(secrets).map((name) => formatSecretName(kind ?? "", name));
    expect(Array.from(row.matchAll(/SPOTLINE_[A-Z_]+/g), ([name]) => name)).toEqual(names);
  }
});

describe.each(KINDS)("the kind $kind", (kind) => {
  test("has a name that a source can have", () => {
    expect(kind.kind).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  test("has secrets that the environment can have, and no setting may be called like one", () => {
    for (const secret of Object.keys(kind.secrets)) {
      const name = formatSecretName(kind.kind, secret);
      expect(listSourceSecrets({ [name]: "x" }, SETTING_NAMES)).toEqual([name]);
      expect(Object.keys(createEntrySchema(kind).shape)).not.toContain(secret);
    }
  });

  test("asks for instruments of the catalog", () => {
    const symbols = "symbols" in kind ? Object.values(kind.symbols ?? {}) : [];
    expect(symbols.filter((symbol) => !instrumentBySymbol.has(symbol))).toEqual([]);
  });
});

test.each(KINDS.filter(({ kind }) => !["simulated", "replay", "fix"].includes(kind)))(
  "the kind $kind makes one live source of its secrets alone, and opens nothing before it starts",
  ({ kind }) => {
    const { create, secrets, settings } = findKind(kind) as FeedKind;
    const given = Object.fromEntries(Object.keys(secrets).map((name) => [name, "712345"]));
    const clocks = { now: Date.now, monotonic: Date.now };
    const feed = create({
      ...{
        ...clocks,
        instruments,
        storedUntilMs: null,
        dataDir: "/nowhere",
        log: silentLog,
        recorder: null,
        inlets: new Inlets(),
      },
      ...{
        name: "my-broker",
        symbols: null,
        settings: z.strictObject(settings).parse({}),
        secrets: given,
        prices: undefined,
      },
    });
    expect(feed.sources).toEqual([{ name: "my-broker", mode: "live" }]);
  },
);
