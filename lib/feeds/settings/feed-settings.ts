import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { findKind, KIND_NAMES, KINDS } from "@/lib/feeds/kinds";
import type { FeedSetting, FeedSettings } from "@/lib/feeds/settings/feed-setting";
import { describeSecretFields, type Environment, listKnownSecrets, readSecrets } from "@/lib/feeds/settings/secrets";
import { createEntrySchema, type ParsedEntry } from "@/lib/feeds/settings/source-entry";
import { instrumentFields, type WantedInstrument } from "@/lib/market/instrument-fields";
import { type Config, SETTING_NAMES } from "@/lib/platform/config";
import { createSettingsError, findNearest, listSourceSecrets } from "@/lib/platform/settings/settings";
import { describeError } from "@/lib/text/describe-error";

type FeedConfig = Pick<Config, "feeds" | "configFile" | "sourcePriority" | "simulated" | "replay">;

/**
 * Reads which feeds to run, from the file of settings or else from SPOTLINE_FEED, with their secrets from the
 * environment. Throws an Error with one line for each fault.
 */
export async function loadFeedSettings(config: FeedConfig, env: Environment): Promise<FeedSettings> {
  const faults: string[] = [];
  const file = findFile(config, faults);
  const content = file === null ? null : await readContent(file, faults);
  const entries = content?.entries ?? listNamedEntries(config, faults);
  const defaults = listDefaults(config);
  const formatPlace = (index: number) =>
    file === null ? `SPOTLINE_FEED: ${String(entries[index]?.["kind"])}` : `${path.basename(file)}: sources[${index}]`;
  const feeds = readEntries(entries, { env, defaults, formatPlace }, faults);
  // A fault above may be the reason why nothing uses a secret.
  if (faults.length === 0) faults.push(...describeUnusedSecrets(feeds, env));
  if (faults.length > 0) throw createSettingsError(faults);
  const { sourcePriority } = config;
  return {
    feeds: feeds.toSorted((a, b) => a.priority - b.priority),
    sourcePriority,
    instruments: content?.instruments ?? [],
    file,
  };
}

function findFile({ feeds, configFile, sourcePriority }: FeedConfig, faults: string[]): string | null {
  let file: string | null = null;
  try {
    file = findConfigFile(configFile);
  } catch (error) {
    faults.push((error as Error).message);
  }
  if (file === null) return null;
  const name = path.basename(file);
  if (feeds !== null) faults.push(`SPOTLINE_FEED: ${name} names the sources too; remove one of them`);
  if (sourcePriority.length > 0) {
    faults.push(`SPOTLINE_SOURCE_PRIORITY: is not used with ${name}; give its sources a priority there`);
  }
  return file;
}

type Entry = Readonly<Record<string, unknown>>;

function listNamedEntries({ feeds }: FeedConfig, faults: string[]): Entry[] {
  const names = feeds === null || feeds.length === 0 ? ["simulated"] : feeds;
  return [...new Set(names)].flatMap((kind) => {
    if (findKind(kind) !== undefined) return [{ kind }];
    faults.push(`SPOTLINE_FEED: ${describeUnknownKind(kind)}`);
    return [];
  });
}

interface Content {
  readonly entries: readonly Entry[];
  readonly instruments: readonly WantedInstrument[];
}

async function readContent(file: string, faults: string[]): Promise<Content> {
  const name = path.basename(file);
  try {
    const content = (await readConfigFile(file)) as {
      readonly sources?: unknown;
      readonly instruments?: unknown;
    } | null;
    const others = Object.keys(content ?? {}).filter((field) => field !== "sources" && field !== "instruments");
    for (const field of others) faults.push(`${name}: ${field} is not a setting; it has only sources and instruments`);
    const instruments = readInstruments(content?.instruments ?? [], name, faults);
    if (Array.isArray(content?.sources) && content.sources.length > 0) {
      return { entries: content.sources as Entry[], instruments };
    }
    faults.push(`${name}: sources must be a list of at least one source`);
  } catch (error) {
    faults.push((error as Error).message);
  }
  return { entries: [], instruments: [] };
}

const instrumentEntry = instrumentFields.extend({ symbol: z.string() });

function readInstruments(given: unknown, name: string, faults: string[]): WantedInstrument[] {
  if (!Array.isArray(given)) {
    faults.push(`${name}: instruments must be a list like [{ symbol: "BASKET1", digits: 1 }]`);
    return [];
  }
  return given.flatMap((entry: unknown, index) => {
    const parsed = instrumentEntry.safeParse(entry);
    const place = `${name}: instruments[${index}]`;
    const names = Object.keys(instrumentEntry.shape);
    if (!parsed.success) {
      for (const issue of parsed.error.issues) faults.push(...describeIssue(issue, place, "an instrument", names));
      return [];
    }
    const { symbol, ...fields } = parsed.data;
    return { symbol, fields };
  });
}

/** What the environment says about a kind, which an entry need not repeat. */
function listDefaults({ simulated, replay: { dir, zones, speed, time, fromMs } }: FeedConfig) {
  const from = fromMs === null ? {} : { from: new Date(fromMs).toISOString() };
  return {
    simulated: { seed: simulated.seed, trading: simulated.hours },
    replay: { ...(dir === null ? {} : { dir }), zones, speed, time, ...from },
  };
}

function describeUnusedSecrets(feeds: readonly FeedSetting[], env: Environment): string[] {
  const known = listKnownSecrets(KINDS, feeds);
  return listSourceSecrets(env, SETTING_NAMES)
    .filter((name) => !known.has(name))
    .map((name) => `${name}: is not a setting, and no source has this secret; remove it`);
}

/** Feeds without a priority come after those with one. */
const NO_PRIORITY = 1_001;

interface Options {
  readonly env: Environment;
  /** Settings of a kind that an entry need not repeat, from the environment. */
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Where an entry stands, for the messages: "spotline.config.ts: sources[0]". */
  readonly formatPlace: (index: number) => string;
}

/** Checks entries and completes them. Describes every fault in `faults`, and leaves the faulty entries out. */
function readEntries(entries: readonly unknown[], options: Options, faults: string[]): FeedSetting[] {
  const feeds: FeedSetting[] = [];
  for (const [index, entry] of entries.entries()) {
    const feed = readEntry(entry, options.formatPlace(index), options, faults);
    if (feed === null) continue;
    if (feeds.some(({ name }) => name === feed.name)) {
      faults.push(`${options.formatPlace(index)}.name: ${feed.name} is the name of another source too`);
    } else feeds.push(feed);
  }
  return feeds;
}

function readEntry(entry: unknown, place: string, { env, defaults }: Options, faults: string[]): FeedSetting | null {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    faults.push(`${place}: must be an object like { kind: "simulated" }`);
    return null;
  }
  const given = entry as Readonly<Record<string, unknown>>;
  const kindName = String(given["kind"] ?? "");
  const kind = findKind(kindName);
  if (kind === undefined) {
    faults.push(`${place}.kind: ${describeUnknownKind(kindName)}`);
    return null;
  }
  const name = typeof given["name"] === "string" ? given["name"] : kind.kind;
  const secretFields = describeSecretFields(kind, given, name);
  for (const { field, fault } of secretFields) faults.push(`${place}.${field}: ${fault}`);
  const known = secretFields.map(({ field }) => field);
  const rest = Object.fromEntries(Object.entries(given).filter(([field]) => !known.includes(field)));
  const schema = createEntrySchema(kind);
  const parsed = schema.safeParse({ ...defaults[kind.kind], ...rest });
  const secrets = readSecrets(kind, name, env, faults);
  if (!parsed.success) {
    const fields = Object.keys(schema.shape);
    for (const issue of parsed.error.issues) faults.push(...describeIssue(issue, place, kind.kind, fields));
    return null;
  }
  const value: ParsedEntry = parsed.data;
  const settings = Object.fromEntries(Object.entries(value).filter(([field]) => field in kind.settings));
  const { priority = NO_PRIORITY, symbols = null, aliases = {}, hours = null, expectedRate = null, autoAdd } = value;
  const allAliases = { ...kind.symbols, ...aliases };
  const shared = { name, kind: kind.kind, priority, symbols, aliases: allAliases, hours, expectedRate };
  return { ...shared, ...(autoAdd === undefined ? {} : { autoAdd }), settings, secrets };
}

/** Says which kinds there are, and which one was probably meant. */
function describeUnknownKind(name: string): string {
  const nearest = findNearest(name, KIND_NAMES);
  const kinds = `must be ${KIND_NAMES.slice(0, -1).join(", ")} or ${KIND_NAMES.at(-1)}`;
  return nearest === null ? kinds : `${kinds}; did you mean ${nearest}?`;
}

function describeIssue(issue: z.core.$ZodIssue, place: string, kind: string, fields: readonly string[]): string[] {
  const path = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  if (issue.code !== "unrecognized_keys") return [`${place}${path}: ${issue.message}`];
  return issue.keys.map((key) => {
    const nearest = issue.path.length === 0 ? findNearest(key, fields) : null;
    const hint = nearest === null ? "remove it" : `did you mean ${nearest}?`;
    return `${place}${path}.${key}: is not a setting of ${kind}; ${hint}`;
  });
}

/** The file of settings: TypeScript, JavaScript or JSON. */

const NAMES = ["ts", "mts", "mjs", "js", "json"].map((extension) => `spotline.config.${extension}`);
/** What the file imports from "spotline". The types are those of define-spotline.ts. */
const HELPER = "export const defineSpotline = (config) => config;";

/**
 * Finds the file: the named one, or spotline.config.ts and its other forms in the folder of the project. Returns null if
 * there is none. Throws an Error if a named file does not exist.
 */
export function findConfigFile(named: string | null): string | null {
  if (named !== null) {
    if (!existsSync(named)) throw new Error(`SPOTLINE_CONFIG: there is no file ${path.resolve(named)}`);
    return path.resolve(named);
  }
  const found = NAMES.filter((name) => existsSync(/* turbopackIgnore: true */ name));
  if (found.length > 1) throw new Error(`${found.join(" and ")} both exist; remove one of them`);
  return found[0] === undefined ? null : path.resolve(found[0]);
}

/** Reads what the file exports. A later call reads it again. Throws an Error that names the file and the fault. */
async function readConfigFile(file: string): Promise<unknown> {
  const name = path.basename(file);
  try {
    if (file.endsWith(".json")) return JSON.parse(await readFile(file, "utf8")) as unknown;
    const code = await bundle(file);
    // Each version has an address of its own, so that an earlier one is not taken from memory.
    const url = `data:text/javascript;base64,${Buffer.from(`${code}\n// ${Date.now()}`).toString("base64")}`;
    const loaded = (await import(/* turbopackIgnore: true */ /* @vite-ignore */ url)) as { readonly default?: unknown };
    if (loaded.default === undefined) throw new Error('it has no "export default"');
    return loaded.default;
  } catch (error) {
    const [first] = describeError(error).split("\n");
    throw new Error(`${name}: ${first ?? "it cannot be read"}`, { cause: error });
  }
}

/** The file and what it imports, as one JavaScript module. */
async function bundle(file: string): Promise<string> {
  const { build } = await import(/* turbopackIgnore: true */ "esbuild");
  const result = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    plugins: [
      {
        name: "spotline",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^spotline$/ }, () => ({ path: "spotline", namespace: "spotline" }));
          onLoad({ filter: /.*/, namespace: "spotline" }, () => ({ contents: HELPER }));
        },
      },
    ],
  }).catch((error: unknown) => {
    throw describeBuildFailure(error);
  });
  return result.outputFiles[0]?.text ?? "";
}

interface BuildMessage {
  readonly text: string;
  readonly location: { readonly line: number } | null;
}

function describeBuildFailure(error: unknown): Error {
  const { errors = [] } = error as { readonly errors?: readonly BuildMessage[] };
  const [first] = errors;
  if (first === undefined) return error instanceof Error ? error : new Error(describeError(error));
  const line = first.location === null ? "" : `line ${first.location.line}: `;
  return new Error(`${line}${first.text}`);
}
