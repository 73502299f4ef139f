import { isFixText, type Message, readPattern } from "@/e2e/venues/kit/messages";
import { type Rule, ScenarioError, type Step } from "@/e2e/venues/kit/scenario";
import { blankVariables, findUnknownVariable } from "@/e2e/venues/kit/variables";

/** A line without its indent: the first word, and the rest. */
export interface Line {
  readonly number: number;
  readonly word: string;
  readonly rest: string;
}

/** Parses a line that is one step: all but `repeat`, `join`, `play` and headings. Throws a ScenarioError. */
export function parseStep(line: Line): Step {
  const { number, word, rest } = line;
  const parse = STEPS[word];
  if (parse === undefined) throw new ScenarioError(number, `there is no “${word}”`);
  return { ...parse(rest, line), line: number } as Step;
}

type WithoutLine<S> = S extends Step ? Omit<S, "line"> : never;

const STEPS: Readonly<Record<string, (rest: string, line: Line) => WithoutLine<Step>>> = {
  expect: (rest, line) => ({ kind: "expect", pattern: parsePattern(rest, line), text: rest }),
  send: (rest, line) => ({ kind: "send", text: parseMessage(rest, line) }),
  raw: (rest, line) => ({ kind: "raw", text: resolveEscapes(checkVariables(rest, line), line) }),
  ping: (rest) => ({ kind: "ping", text: rest }),
  evict: (rest, line) => ({ kind: "evict", text: parseMessage(rest, line) }),
  answer: (rest, line) => {
    const [, status = "", headers = "{}"] = /^(\d{3})(?:\s+(\{.*\}))?$/.exec(rest) ?? [];
    if (status === "") throw new ScenarioError(line.number, "answer needs a status and, if any, headers as JSON");
    return { kind: "answer", status: Number(status), headers: parseJson(headers, line) as Record<string, string> };
  },
  chunk: (rest, line) => ({ kind: "chunk", bytes: parseInteger(rest, line) }),
  wait: (rest, line) => ({ kind: "wait", ms: parseInteger(rest, line) }),
  close: (rest, line) => {
    const [, code = "", reason = ""] = /^(\d{4})?\s*(.*)$/.exec(rest) ?? [];
    if (code === "" && reason !== "") throw new ScenarioError(line.number, "close needs a code before its reason");
    return { kind: "close", code: code === "" ? null : Number(code), reason };
  },
  reset: (rest, line) => parseBare("reset", rest, line),
  feed: (rest, line) => parseBare("feed", rest, line),
  silent: (rest, line) => parseBare("silent", rest, line),
  skew: (rest, line) => {
    if (!/^[+-]?\d+(\.\d+)?$/.test(rest)) throw new ScenarioError(line.number, "skew needs seconds");
    return { kind: "skew", seconds: Number(rest) };
  },
  price: (rest, line) => {
    const [, start = "", spread = ""] = /^(\d+(?:\.\d+)?)\s+(\d+(?:\.\d+)?)$/.exec(rest) ?? [];
    if (start === "") throw new ScenarioError(line.number, "price needs a start and a spread");
    return { kind: "price", start, spread: Number(spread) };
  },
};

function parseBare<K extends "reset" | "feed" | "silent">(kind: K, rest: string, line: Line): { kind: K } {
  if (rest !== "") throw new ScenarioError(line.number, `${kind} stands alone`);
  return { kind };
}

/** Parses `on PATTERN send MESSAGE` or `ignore PATTERN`. */
export function parseRule(line: Line): Rule {
  if (line.word === "ignore") return { pattern: parsePattern(line.rest, line), answer: null };
  const at = line.rest.indexOf(" send ");
  if (at === -1) throw new ScenarioError(line.number, "on needs a pattern, “send” and a message");
  const answer = parseMessage(line.rest.slice(at + " send ".length).trim(), line);
  return { pattern: parsePattern(line.rest.slice(0, at).trim(), line), answer };
}

export function parsePattern(text: string, line: Line): Message {
  try {
    return readPattern(text);
  } catch {
    throw new ScenarioError(line.number, `${line.word} needs JSON or FIX fields, not “${text}”`);
  }
}

export function parseInteger(text: string, line: Line): number {
  if (!/^\d+$/.test(text)) throw new ScenarioError(line.number, `${line.word} needs a whole number, not “${text}”`);
  return Number(text);
}

/** Checks a message to be sent: JSON that parses once its variables have values, or FIX fields. */
function parseMessage(text: string, line: Line): string {
  if (!isFixText(checkVariables(text, line))) parseJson(blankVariables(text), line);
  return text;
}

function checkVariables(text: string, line: Line): string {
  const unknown = findUnknownVariable(text);
  if (unknown !== undefined) throw new ScenarioError(line.number, `there is no variable ${unknown}`);
  return text;
}

function parseJson(text: string, line: Line): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ScenarioError(line.number, `${line.word}: ${(error as Error).message}`);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\\": "\\" };

function resolveEscapes(text: string, line: Line): string {
  return text.replace(/\\(x[\da-f]{2}|.?)/gi, (_, name: string) => {
    if (name.length === 3) return String.fromCharCode(Number.parseInt(name.slice(1), 16));
    const character = ESCAPES[name];
    if (character === undefined) throw new ScenarioError(line.number, `there is no escape \\${name}`);
    return character;
  });
}
