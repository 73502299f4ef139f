import path from "node:path";
import { findKind, KINDS } from "@/lib/feeds/kinds/kinds";
import { findConfigFile, readConfigFile } from "@/lib/feeds/settings/config-file";
import type { FeedSetting, FeedSettings } from "@/lib/feeds/settings/feed-setting";
import { describeUnknownKind, readEntries } from "@/lib/feeds/settings/read-entries";
import { type Environment, listKnownSecrets } from "@/lib/feeds/settings/secrets";
import { type Config, SETTING_NAMES } from "@/lib/platform/config";
import { createSettingsError } from "@/lib/platform/settings/invalid-settings";
import { listSourceSecrets } from "@/lib/platform/settings/setting-names";

type FeedConfig = Pick<Config, "feeds" | "configFile" | "sourcePriority" | "simulated" | "replay">;

/**
 * Reads which feeds to run, from the file of settings or else from SPOTLINE_FEED, with their secrets from the
 * environment. Throws an Error with one line for each fault.
 */
export async function loadFeedSettings(config: FeedConfig, env: Environment): Promise<FeedSettings> {
  const faults: string[] = [];
  const file = findFile(config, faults);
  const entries = file === null ? listNamedEntries(config, faults) : await readFileEntries(file, faults);
  const defaults = listDefaults(config);
  const formatPlace = (index: number) =>
    file === null ? `SPOTLINE_FEED: ${String(entries[index]?.["kind"])}` : `${path.basename(file)}: sources[${index}]`;
  const feeds = readEntries(entries, { env, defaults, formatPlace }, faults);
  // A fault above may be the reason why nothing uses a secret.
  if (faults.length === 0) faults.push(...describeUnusedSecrets(feeds, env));
  if (faults.length > 0) throw createSettingsError(faults);
  const { sourcePriority } = config;
  return { feeds: feeds.toSorted((a, b) => a.priority - b.priority), sourcePriority, file };
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

async function readFileEntries(file: string, faults: string[]): Promise<Entry[]> {
  const name = path.basename(file);
  try {
    const content = (await readConfigFile(file)) as { readonly sources?: unknown } | null;
    const others = Object.keys(content ?? {}).filter((field) => field !== "sources");
    for (const field of others) faults.push(`${name}: ${field} is not a setting; it has only sources`);
    if (Array.isArray(content?.sources) && content.sources.length > 0) return content.sources as Entry[];
    faults.push(`${name}: sources must be a list of at least one source`);
  } catch (error) {
    faults.push((error as Error).message);
  }
  return [];
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
