import * as z from "zod";
import { refuseParam } from "@/lib/api/engine/params";
import { type Impact, IMPACTS } from "@/lib/calendar/event";

/** What a stream has beside the served quotes, and what of them. */
export interface StreamOptions {
  /** The fields of each quote; null for all. */
  readonly fields: FieldChoice | null;
  /** The sources whose own quotes are sent in place of the served ones; null for the served ones. */
  readonly sources: "all" | ReadonlySet<string> | null;
  readonly hasBars: boolean;
  /** The releases of the calendar; null for none. */
  readonly events: EventChoice | null;
  /** The same text for the same options: streams of the same symbols and options share their bytes. */
  readonly mark: string;
}

/** The same object for the same fields, because texts are stored by it. */
export interface FieldChoice {
  readonly names: readonly StreamField[];
  /** Keys of the texts of a quote: alone, and as an event. */
  readonly json: object;
  readonly event: object;
}

export interface EventChoice {
  /** Null for all. */
  readonly impacts: ReadonlySet<Impact> | null;
  readonly currencies: ReadonlySet<string> | null;
}

export const STREAM_FIELDS = ["bid", "ask", "spread", "spread_pips", "timestamp", "source"] as const;
export type StreamField = (typeof STREAM_FIELDS)[number];

const MAX_WORDS = 40;

/** Lower-case words, each once and sorted, so that the same choice has the same text. */
const wordsParam = (isValid: (word: string) => boolean, expected: string) =>
  z.string().transform((text, context) => {
    const words = [...new Set(text.split(",").map((word) => word.trim().toLowerCase()))].sort();
    if (words.length <= MAX_WORDS && words.every(isValid)) return words;
    return refuseParam(context, "VALIDATION_ERROR", `must be ${expected}`);
  });

const isImpact = (word: string): word is Impact => IMPACTS.some((impact) => impact === word);

/** The parameters of a stream's options. */
export const optionParams = {
  fields: wordsParam(
    (word) => STREAM_FIELDS.some((field) => field === word),
    `some of ${STREAM_FIELDS.join(", ")}, separated by commas`,
  )
    .optional()
    .meta({
      description: `The fields of each quote beside its symbol, some of ${STREAM_FIELDS.join(", ")}; all when left out.`,
    }),
  sources: wordsParam((word) => /^[a-z0-9-]{1,64}$/.test(word), "all, or names of sources, separated by commas")
    .optional()
    .meta({
      description: "all, or names of sources: each source’s own quotes and states in place of the served ones.",
    }),
  bars: z
    .enum(["1s"], { error: "must be 1s" })
    .optional()
    .meta({ description: "1s adds the bar of each second in which a price came, once it is over." }),
  events: wordsParam(
    (word) => word === "all" || isImpact(word) || /^[a-z]{3}$/.test(word),
    `all, or some of ${IMPACTS.join(", ")} and currency codes, separated by commas`,
  )
    .optional()
    .meta({
      description: `Adds each released figure of the calendar: all, or those of some impacts (${IMPACTS.join(", ")}) and currencies.`,
    }),
};

type Params = { readonly [Name in keyof typeof optionParams]?: z.output<(typeof optionParams)[Name]> | undefined };

/** Turns the parameters into options. */
export function createOptions({ fields, sources, bars, events }: Params): StreamOptions {
  return {
    fields: fields === undefined ? null : findFieldChoice(fields),
    sources: sources === undefined ? null : sources.includes("all") ? "all" : new Set(sources),
    hasBars: bars === "1s",
    events: events === undefined ? null : createEventChoice(events),
    mark: [fields, sources, bars, events].map((each) => each?.toString() ?? "").join("|"),
  };
}

/** The served quotes with all fields. */
export const PLAIN_OPTIONS = createOptions({});

/** At most as many as there are sets of fields. */
const choices = new Map<string, FieldChoice>();

function findFieldChoice(words: readonly string[]): FieldChoice {
  const names = STREAM_FIELDS.filter((field) => words.includes(field));
  const key = names.join();
  const choice = choices.get(key) ?? { names, json: {}, event: {} };
  choices.set(key, choice);
  return choice;
}

function createEventChoice(words: readonly string[]): EventChoice {
  if (words.includes("all")) return { impacts: null, currencies: null };
  const impacts = words.filter(isImpact);
  const currencies = words.filter((word) => !isImpact(word)).map((word) => word.toUpperCase());
  return {
    impacts: impacts.length === 0 ? null : new Set(impacts),
    currencies: currencies.length === 0 ? null : new Set(currencies),
  };
}
