import { AccessError } from "@/lib/access/access-error";
import { doOverlap, isPlace, type Place } from "@/lib/access/screens/tiling";
import { HEATMAP_TIMEFRAMES, type HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import { type Impact, IMPACTS } from "@/lib/calendar/event";
import { SPREAD_PERIODS, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { CATEGORIES, type Category } from "@/lib/market/instrument";
import { readTimeframe, type Timeframe } from "@/lib/market/timeframe";
import { isZone } from "@/lib/time/zone-offset";

/** A screen: panels side by side that fill a window. Browser and server share it. */

export const PANEL_KINDS = ["chart", "list", "calendar", "strength", "sessions", "spread", "alerts", "clock"] as const;
export type PanelKind = (typeof PANEL_KINDS)[number];

/** Panels of one colour show the same symbol. */
export const LINK_COLOURS = ["amber", "blue", "green", "violet", "cyan", "rose"] as const;
export type LinkColour = (typeof LINK_COLOURS)[number];

export const SCREEN_LIMITS = { screens: 30, panels: 16, charts: 12, name: 40, indicators: 8, zones: 8 } as const;

/** What each kind of panel shows. */
export interface PanelSettings {
  readonly chart: {
    readonly symbol: string;
    readonly timeframe: Timeframe;
    readonly indicators: readonly string[];
    readonly layers: readonly string[];
  };
  readonly list: {
    /** The slug of one of the account's lists; null for all symbols. */
    readonly list: string | null;
    readonly category: Category | null;
  };
  readonly calendar: {
    /** Empty for all. A linked calendar shows those of the linked symbol. */
    readonly currencies: readonly string[];
    readonly impacts: readonly Impact[];
  };
  readonly strength: { readonly timeframe: HeatmapTimeframe };
  readonly sessions: object;
  readonly spread: { readonly symbol: string; readonly period: SpreadPeriod };
  readonly alerts: object;
  readonly clock: { readonly zones: readonly string[] };
}

export type Panel<Kind extends PanelKind = PanelKind> = {
  [Each in Kind]: Place & {
    readonly id: string;
    readonly kind: Each;
    /** Null for a panel that is not linked. */
    readonly colour: LinkColour | null;
    readonly settings: PanelSettings[Each];
  };
}[Kind];

export interface ScreenContent {
  readonly panels: readonly Panel[];
  /** What linked panels share. */
  readonly links: { readonly symbol: boolean; readonly timeframe: boolean; readonly crosshair: boolean };
}

export interface Screen {
  readonly id: string;
  readonly name: string;
  readonly content: ScreenContent;
  /** Raised with every change, so that two browsers do not overwrite each other's. */
  readonly revision: number;
}

export const DEFAULT_LINKS: ScreenContent["links"] = { symbol: true, timeframe: false, crosshair: true };

const ID = /^[a-z0-9]{1,12}$/;
const WORD = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/**
 * Checks the content of a screen that a browser sends or a link contains. `hasSymbol` says whether a symbol is in the
 * catalogue. Throws an AccessError, "invalid_screen", for the first problem.
 */
export function checkContent(value: unknown, hasSymbol: (symbol: string) => boolean): ScreenContent {
  const { panels, links } = toRecord(value, "A screen");
  if (!Array.isArray(panels)) throw refuse("A screen’s panels must be an array.");
  if (panels.length > SCREEN_LIMITS.panels) throw refuse(`A screen has at most ${SCREEN_LIMITS.panels} panels.`);
  const checked = panels.map((panel) => checkPanel(panel, hasSymbol));
  if (new Set(checked.map(({ id }) => id)).size < checked.length) throw refuse("Two panels have the same id.");
  if (checked.filter(({ kind }) => kind === "chart").length > SCREEN_LIMITS.charts) {
    throw refuse(`A screen has at most ${SCREEN_LIMITS.charts} charts.`);
  }
  if (checked.some((one, at) => checked.slice(at + 1).some((other) => doOverlap(one, other)))) {
    throw refuse("Two panels are in the same place.");
  }
  const shared = toRecord(links ?? DEFAULT_LINKS, "The links of a screen");
  const readFlag = (name: keyof ScreenContent["links"]) => {
    const flag = shared[name] ?? DEFAULT_LINKS[name];
    if (typeof flag !== "boolean") throw refuse("The links of a screen are true or false.");
    return flag;
  };
  return {
    panels: checked,
    links: { symbol: readFlag("symbol"), timeframe: readFlag("timeframe"), crosshair: readFlag("crosshair") },
  };
}

/** Checks the name of a screen. Returns it without spaces around it; throws "invalid_screen". */
export function checkName(name: unknown): string {
  if (typeof name !== "string" || name.trim() === "") throw refuse("A screen needs a name.");
  const text = name.trim();
  if (text.length > SCREEN_LIMITS.name) throw refuse(`A screen’s name has at most ${SCREEN_LIMITS.name} characters.`);
  // Control characters; the database cannot hold the first of them.
  if (/\p{Cc}|\p{Cs}/u.test(text)) throw refuse("A screen’s name has characters that cannot be shown.");
  return text;
}

function checkPanel(value: unknown, hasSymbol: (symbol: string) => boolean): Panel {
  const { id, kind, colour, x, y, w, h, settings } = toRecord(value, "A panel");
  if (typeof id !== "string" || !ID.test(id)) throw refuse("A panel’s id has up to twelve small letters and digits.");
  const known = PANEL_KINDS.find((each) => each === kind);
  if (known === undefined) throw refuse("A panel has an unknown kind.");
  const place = { x, y, w, h } as Place;
  if (!isPlace(place)) throw refuse("A panel is outside of the grid or too small.");
  const link = colour === null ? null : LINK_COLOURS.find((each) => each === colour);
  if (link === undefined) throw refuse("A panel has an unknown colour.");
  const read = createReader(toRecord(settings ?? {}, "The settings of a panel"), hasSymbol);
  return { id, kind: known, colour: link, ...place, settings: SETTINGS[known](read) } as Panel;
}

type Reader = ReturnType<typeof createReader>;

const SETTINGS: { readonly [Kind in PanelKind]: (read: Reader) => PanelSettings[Kind] } = {
  chart: (read) => ({
    symbol: read.symbol(),
    timeframe: read.timeframe(),
    indicators: read.words("indicators", SCREEN_LIMITS.indicators, (word) => WORD.test(word)),
    layers: read.words("layers", SCREEN_LIMITS.indicators, (word) => WORD.test(word)),
  }),
  list: (read) => ({ list: read.slug("list"), category: read.oneOrNone("category", CATEGORIES) }),
  calendar: (read) => ({
    currencies: read.words("currencies", 30, (word) => /^[A-Z]{3}$/.test(word)),
    impacts: read.words("impacts", IMPACTS.length, (word) => (IMPACTS as readonly string[]).includes(word)) as Impact[],
  }),
  strength: (read) => ({ timeframe: read.one("timeframe", HEATMAP_TIMEFRAMES, "H1") }),
  sessions: () => ({}),
  spread: (read) => ({ symbol: read.symbol(), period: read.one("period", SPREAD_PERIODS, "24h") }),
  alerts: () => ({}),
  clock: (read) => ({ zones: read.words("zones", SCREEN_LIMITS.zones, isZone) }),
};

/** Reads single settings, of which each has its own form. */
function createReader(given: Record<string, unknown>, hasSymbol: (symbol: string) => boolean) {
  const find = <Choice extends string>(name: string, choices: readonly Choice[]): Choice => {
    const choice = choices.find((each) => each === given[name]);
    if (choice === undefined) throw refuse(`A panel’s ${name} is none that can be chosen.`);
    return choice;
  };
  return {
    symbol(): string {
      const { symbol } = given;
      if (typeof symbol !== "string" || !hasSymbol(symbol))
        throw refuse("A panel has a symbol that is not in the catalogue.");
      return symbol;
    },
    timeframe(): Timeframe {
      const { timeframe = "H1" } = given;
      const known = typeof timeframe === "string" ? readTimeframe(timeframe) : undefined;
      if (known === undefined) throw refuse("A panel’s timeframe is none that can be chosen.");
      return known;
    },
    one: <Choice extends string>(name: string, choices: readonly Choice[], usual: Choice): Choice =>
      given[name] === undefined ? usual : find(name, choices),
    oneOrNone: <Choice extends string>(name: string, choices: readonly Choice[]): Choice | null =>
      given[name] == null ? null : find(name, choices),
    slug(name: string): string | null {
      const slug = given[name] ?? null;
      if (slug !== null && (typeof slug !== "string" || !SLUG.test(slug))) throw refuse("A panel’s list is none.");
      return slug;
    },
    words(name: string, most: number, isWord: (word: string) => boolean): string[] {
      const words = given[name] ?? [];
      if (
        !Array.isArray(words) ||
        words.length > most ||
        !words.every((word) => typeof word === "string" && isWord(word))
      ) {
        throw refuse(`A panel’s ${name} are not valid, or too many.`);
      }
      return [...new Set(words as string[])];
    },
  };
}

function toRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse(`${what} must be an object.`);
  return value as Record<string, unknown>;
}

function refuse(message: string): AccessError {
  return new AccessError("invalid_screen", message);
}
