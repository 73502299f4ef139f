import type * as z from "zod";
import { findKind, KIND_NAMES } from "@/lib/feeds/kinds/kinds";
import type { FeedSetting } from "@/lib/feeds/settings/feed-setting";
import { describeSecretFields, type Environment, readSecrets } from "@/lib/feeds/settings/secrets";
import { createEntrySchema, type ParsedEntry } from "@/lib/feeds/settings/source-entry";
import { findNearest } from "@/lib/platform/settings/setting-names";

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
export function readEntries(entries: readonly unknown[], options: Options, faults: string[]): FeedSetting[] {
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
  const { priority = NO_PRIORITY, symbols = null, aliases = {}, hours = null, expectedRate = null } = value;
  const allAliases = { ...kind.symbols, ...aliases };
  return { name, kind: kind.kind, priority, symbols, aliases: allAliases, hours, expectedRate, settings, secrets };
}

/** Says which kinds there are, and which one was probably meant. */
export function describeUnknownKind(name: string): string {
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
