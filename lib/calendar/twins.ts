import type { CalendarEvent } from "@/lib/calendar/event";
import { parseFigure } from "@/lib/calendar/figure";
import { EMPTY_WORDS, LIGHT_WORDS, SAME_WORDS, STAGES, USUAL_WORDS } from "@/lib/calendar/release-words";

/**
 * Finds rows of the two streams for the same release. A pair must have the same currency, minute and release. Hiding a
 * row without a twin is worse than showing a release twice, so doubtful rows are not paired.
 */
export interface Twins {
  readonly primary: CalendarEvent;
  readonly secondary: CalendarEvent;
  /** Why the rows count as one release, for the operator. */
  readonly reason: string;
}

type Candidate = Twins & { readonly strength: number };

/** @param events all rows of one minute; the pairs do not depend on their order */
export function matchTwins(events: readonly CalendarEvent[]): Twins[] {
  const primaries = events.filter(({ stream }) => stream === "primary");
  const secondaries = events.filter(({ stream }) => stream === "secondary");
  if (primaries.length === 0 || secondaries.length === 0) return [];
  const candidates = primaries.flatMap((primary) =>
    secondaries.flatMap((secondary) => {
      const match = primary.currency === secondary.currency ? comparePair(primary, secondary) : null;
      return match === null ? [] : [{ primary, secondary, ...match }];
    }),
  );
  candidates.sort((a, b) => b.strength - a.strength || compareText(toKey(a), toKey(b)));
  const twins: Candidate[] = [];
  const taken = new Set<CalendarEvent>();
  for (const candidate of candidates) {
    const { primary, secondary } = candidate;
    if (taken.has(primary) || taken.has(secondary)) continue;
    if (candidate.strength < CERTAIN && isAmbiguous(candidate, candidates, taken)) continue;
    taken.add(primary).add(secondary);
    twins.push(candidate);
  }
  return twins;
}

/** From this strength on a pair is accepted even if it is ambiguous. */
const CERTAIN = 50;
/** The strength of equal names where more figures contradict each other than agree. */
const DOUBTED = 10;
/** A pair with a contradicting figure is weaker than every pair without one, whatever their names. */
const CONTRADICTED_SHARE = 0.1;
/** The share of both names' words that must be equal where the figures are the main evidence. */
const LEAST_OVERLAP = 0.6;

function isAmbiguous(one: Candidate, candidates: readonly Candidate[], taken: ReadonlySet<CalendarEvent>): boolean {
  return candidates.some(
    (other) =>
      other !== one &&
      other.strength === one.strength &&
      (other.primary === one.primary || other.secondary === one.secondary) &&
      !taken.has(other.primary) &&
      !taken.has(other.secondary),
  );
}

function toKey({ primary, secondary }: Twins): string {
  return `${primary.title}\n${secondary.title}\n${primary.id}\n${secondary.id}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Match {
  readonly strength: number;
  readonly reason: string;
}

function comparePair(primary: CalendarEvent, secondary: CalendarEvent): Match | null {
  const [a, b] = [parseReleaseName(primary.title), parseReleaseName(secondary.title)];
  // Most rows of a minute have nothing in common, and reading their figures takes much longer than this.
  if (a.usualCore !== b.usualCore && !shareWord(a.words, b.words)) return null;
  const figures = compareFigures(primary, secondary);
  const match = compareNames(a, b, figures);
  if (match === null || figures.differ === 0) return match;
  return { ...match, strength: match.strength * CONTRADICTED_SHARE };
}

function shareWord(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const word of a) if (b.has(word)) return true;
  return false;
}

function compareNames(a: ReleaseName, b: ReleaseName, figures: Figures): Match | null {
  if (a.stage !== null && b.stage?.some((stage) => a.stage?.includes(stage)) === false) return null;
  if (a.comparison !== null && b.comparison !== null && a.comparison !== b.comparison) return null;
  const figureWords = `${figures.agree} of ${figures.agree + figures.differ} figures agree`;
  const sameComparison = a.comparison === b.comparison;
  if (a.core === b.core) {
    if (sameComparison && a.light === b.light) return compareNamesakes(figures, figureWords);
    // One name has more words. The pair then needs a matching figure, unless neither row has figures.
    const isSupported = figures.agree > 0 || (sameComparison && figures.given === 0);
    if (isSupported && figures.agree >= figures.differ) {
      return { strength: (sameComparison ? 60 : 50) + figures.agree, reason: `nearly the same name; ${figureWords}` };
    }
    return null;
  }
  const areFiguresEqual = figures.differ === 0 && figures.agree >= (sameComparison ? 1 : 2);
  if (a.usualCore === b.usualCore && areFiguresEqual) {
    return { strength: 40 + figures.agree, reason: `usual words for the same; ${figureWords}` };
  }
  const isPart = [...a.words].every((word) => b.words.has(word)) || [...b.words].every((word) => a.words.has(word));
  const isNamedAlike = isPart && Math.abs(a.words.size - b.words.size) === 1 && !differsInKind(a.words, b.words);
  if (isNamedAlike && sameComparison && figures.agree >= 1 && figures.differ === 0) {
    return { strength: 20 + figures.agree, reason: `name and one word more; ${figureWords}` };
  }
  // Publishers use other words for the same thing. Two equal figures and most words then identify it.
  const isWordedAlike = getOverlap(a.words, b.words) >= LEAST_OVERLAP && !differsInKind(a.words, b.words);
  if (isWordedAlike && sameComparison && figures.agree === 2) {
    return { strength: 15, reason: `most words are the same; ${figureWords}` };
  }
  return null;
}

/** Rows of one name. If it is the only candidate, it is the same release whatever its figures. */
function compareNamesakes(figures: Figures, figureWords: string): Match {
  if (figures.agree >= figures.differ) return { strength: 100 + figures.agree, reason: "same release by name" };
  return { strength: DOUBTED, reason: `same release by name, although ${figureWords}` };
}

function getOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (a.size + b.size - shared);
}

/** Words that mark another series of the same release. */
const KINDS = new Set(
  (
    "unadjusted core ex excluding hicp continuing initial full part time participation service manufacturing " +
    "construction composite import export german french italian spanish outlook 5 eu non private retail wholesale adp rate weekly"
  ).split(" "),
);

function differsInKind(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const isKind = (word: string) => KINDS.has(word) || /\d/.test(word);
  return [...a].some((word) => isKind(word) && !b.has(word)) || [...b].some((word) => isKind(word) && !a.has(word));
}

interface Figures {
  readonly agree: number;
  readonly differ: number;
  /** The figures that one row or both have. */
  readonly given: number;
}

function compareFigures(a: CalendarEvent, b: CalendarEvent): Figures {
  const pairs = [
    [a.forecast, b.forecast],
    [a.previous, b.previous],
  ] as const;
  let [agree, differ, given] = [0, 0, 0];
  for (const [first, second] of pairs) {
    const [x, y] = [parseFigure(first), parseFigure(second)];
    if (x !== null || y !== null) given++;
    if (x === null || y === null) continue;
    if (isSameFigure(x.value, y.value, Math.max(findStep(first), findStep(second)))) agree++;
    else differ++;
  }
  return { agree, differ, given };
}

/** One publisher rounds more than the other, so the coarser notation decides. */
function isSameFigure(x: number, y: number, step: number): boolean {
  return Math.abs(x - y) <= step / 2 + 1e-9 * Math.max(Math.abs(x), Math.abs(y));
}

/** The value of one unit of a figure's last digit: 0.1 for "0.3%", 1,000 for "212K". */
function findStep(text: string): number {
  const match = /\d(?:[\d,]*)(?:\.(\d+))?\s*([KMBT]?)/i.exec(text);
  const exponent = { K: 3, M: 6, B: 9, T: 12 }[(match?.[2] ?? "").toUpperCase()] ?? 0;
  return Number(`1e${exponent - (match?.[1]?.length ?? 0)}`);
}

/** The parts of a title, in a form that is equal for different publishers' titles of the same release. */
interface ReleaseName {
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
function parseReleaseName(title: string): ReleaseName {
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
