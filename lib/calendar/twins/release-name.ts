import { EMPTY_WORDS, LIGHT_WORDS, SAME_WORDS, STAGES, USUAL_WORDS } from "@/lib/calendar/twins/release-words";

/** The parts of a title, in a form that is equal for different publishers' titles of the same release. */
export interface ReleaseName {
  /** The words that identify the release, sorted and joined. */
  readonly core: string;
  readonly words: ReadonlySet<string>;
  /** The same as `core` in the words of most publishers. */
  readonly usualCore: string;
  /** Words that are optional. */
  readonly light: string;
  /** "mom", "yoy", "qoq" and so on; null if the title has none. */
  readonly comparison: string | null;
  /** The estimates that its word may stand for; null if the title has none. See `STAGES`. */
  readonly stage: readonly number[] | null;
}

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const PERIOD = new RegExp(`\\((?:(?:${MONTHS})[a-z]*|q[1-4]|h[12]|\\d{4})\\)`, "g");
const COMPARISON = /\(?\b(?:([mqyw])\/([mqyw])|(mom|qoq|yoy|wow)|(\d+m)\/(\d+m|y)|(ytd)(?:\/y)?)\b\)?/;
const SPEECH = /^(.*?)(\S+) (?:speaks|speech|testifies|testimony)$/;

const cache = new Map<string, ReleaseName>();
const MAX_CACHED = 20_000;

/** Parses a title. Results are cached. */
export function parseReleaseName(title: string): ReleaseName {
  const cached = cache.get(title);
  if (cached !== undefined) return cached;
  if (cache.size >= MAX_CACHED) cache.clear();
  const name = read(title);
  cache.set(title, name);
  return name;
}

function read(title: string): ReleaseName {
  let text = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(PERIOD, " ");
  const comparison = findComparison(text);
  text = text.replace(COMPARISON, " ").replace(/[()]/g, " ").replace(/\s+/g, " ").trim();
  const speech = SPEECH.exec(text);
  if (speech !== null) {
    const words = toWordParts([`${speech[2]}`, "speech"]);
    return { ...words, usualCore: words.core, comparison: null, stage: null };
  }
  const same = replaceWords(text, SAME_WORDS);
  const { stage, words } = splitWords(same);
  const usualCore = toWordParts(splitWords(replaceWords(same, USUAL_WORDS)).words).core;
  return { ...toWordParts(words), usualCore, comparison, stage };
}

function replaceWords(text: string, list: typeof SAME_WORDS): string {
  return list.reduce((all, [pattern, words]) => {
    const replaced = all.replace(pattern, words);
    return replaced === all ? all : replaced.replace(/\s+/g, " ").trim();
  }, text);
}

function splitWords(text: string): { words: string[]; stage: readonly number[] | null } {
  const words: string[] = [];
  let stage: readonly number[] | null = null;
  for (const word of text.split(/[^\p{L}\p{N}&+.%]+|(?<!\d)\.|\.(?!\d)/u)) {
    const asStage = STAGES.get(word);
    if (asStage !== undefined) stage = asStage;
    else if (word !== "" && word !== "&" && !EMPTY_WORDS.has(word)) words.push(toSingular(word));
  }
  return { words, stage };
}

function toSingular(word: string): string {
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function findComparison(text: string): string | null {
  const match = COMPARISON.exec(text);
  if (match === null) return null;
  const [, first, second, word, months, base, ytd] = match;
  if (word !== undefined) return word;
  if (ytd !== undefined) return ytd;
  // British wages always have this comparison, and only one publisher writes it.
  if (months !== undefined && base === "y") return null;
  return months === undefined ? `${first}o${second}` : `${months}/${base}`;
}

function toWordParts(all: readonly string[]): Pick<ReleaseName, "core" | "words" | "light"> {
  const words = new Set(all.filter((word) => !LIGHT_WORDS.has(word)));
  const light = all.filter((word) => LIGHT_WORDS.has(word));
  // A title of light words only is identified by them.
  if (words.size === 0) for (const word of light) words.add(word);
  return { core: [...words].sort().join(" "), words, light: [...new Set(light)].sort().join(" ") };
}
