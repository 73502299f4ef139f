import { EMPTY_WORDS, LIGHT_WORDS, SAME_WORDS, STAGES } from "@/lib/calendar/twins/release-words";

/** A title taken apart, so that two publishers' words for the same release come out alike. */
export interface ReleaseName {
  /** What tells this release from every other, sorted and joined. */
  readonly core: string;
  readonly words: ReadonlySet<string>;
  /** Words that may or may not be there. */
  readonly light: string;
  /** "mom", "yoy", "qoq" and so on; null where the title does not say. */
  readonly comparison: string | null;
  /** "first", "second" or "final"; null where the title does not say. */
  readonly stage: string | null;
}

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const PERIOD = new RegExp(`\\((?:(?:${MONTHS})[a-z]*|q[1-4]|h[12]|\\d{4})\\)`, "g");
const COMPARISON = /\(?\b(?:([mqyw])\/([mqyw])|(mom|qoq|yoy|wow)|(\d+m)\/(\d+m|y)|(ytd)(?:\/y)?)\b\)?/;
const SPEECH = /^(.*?)(\S+) (?:speaks|speech|testifies|testimony)$/;

const seen = new Map<string, ReleaseName>();
const MOST_SEEN = 20_000;

/** Takes a title apart. What it makes of a title never changes. */
export function parseReleaseName(title: string): ReleaseName {
  const known = seen.get(title);
  if (known !== undefined) return known;
  if (seen.size >= MOST_SEEN) seen.clear();
  const name = read(title);
  seen.set(title, name);
  return name;
}

function read(title: string): ReleaseName {
  let text = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(PERIOD, " ");
  const comparison = comparisonIn(text);
  text = text.replace(COMPARISON, " ").replace(/[()]/g, " ").replace(/\s+/g, " ").trim();
  const speech = SPEECH.exec(text);
  if (speech !== null) return toReleaseName([`${speech[2]}`, "speech"], null, null);
  for (const [pattern, words] of SAME_WORDS) text = text.replace(pattern, words).replace(/\s+/g, " ").trim();
  const words: string[] = [];
  let stage: string | null = null;
  for (const word of text.split(/[^\p{L}\p{N}&+.%]+|(?<!\d)\.|\.(?!\d)/u)) {
    const asStage = STAGES.get(word);
    if (asStage !== undefined) stage = asStage;
    else if (word !== "" && word !== "&" && !EMPTY_WORDS.has(word)) words.push(singular(word));
  }
  return toReleaseName(words, comparison, stage);
}

function singular(word: string): string {
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function comparisonIn(text: string): string | null {
  const match = COMPARISON.exec(text);
  if (match === null) return null;
  const [, first, second, word, months, base, ytd] = match;
  if (word !== undefined) return word;
  if (ytd !== undefined) return ytd;
  // Wages are always told so in Britain, and only one publisher bothers to say it.
  if (months !== undefined && base === "y") return null;
  return months === undefined ? `${first}o${second}` : `${months}/${base}`;
}

function toReleaseName(all: readonly string[], comparison: string | null, stage: string | null): ReleaseName {
  const words = new Set(all.filter((word) => !LIGHT_WORDS.has(word)));
  const light = all.filter((word) => LIGHT_WORDS.has(word));
  // A title made of light words alone is told by them.
  if (words.size === 0) for (const word of light) words.add(word);
  return { core: [...words].sort().join(" "), words, light: [...new Set(light)].sort().join(" "), comparison, stage };
}
