import { type Line, parseInteger, parsePattern, parseRule, parseStep } from "@/e2e/venues/kit/parse-step";
import {
  type Rule,
  type Scenario,
  ScenarioError,
  type ScenarioFile,
  type Section,
  type Step,
  type Transport,
  TRANSPORTS,
} from "@/e2e/venues/kit/scenario";

/**
 * Parses a scenario file; README.md describes the language. A text without `scenario` headings is one scenario with an
 * empty name. Throws a ScenarioError that names the line.
 */
export function parseScenarios(text: string): ScenarioFile {
  const reader = createReader(listLines(text));
  const rules: Rule[] = [];
  const parts = new Map<string, readonly Step[]>();
  const scenarios: Scenario[] = [];
  let transport: Transport | null = null;

  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    if (line.word === "scenario") {
      reader.next();
      if (line.rest === "") throw new ScenarioError(line.number, "a scenario needs a name");
      if (scenarios.some(({ name }) => name === line.rest)) {
        throw new ScenarioError(line.number, `there are two scenarios “${line.rest}”`);
      }
      scenarios.push(parseScenario(line.rest, reader, rules, parts));
    } else if (line.word === "transport") {
      transport = parseTransport(reader.next() as Line);
    } else if (line.word === "part") {
      reader.next();
      parts.set(line.rest, parseBlock(reader, line, parts));
    } else if (line.word === "on" || line.word === "ignore") {
      rules.push(parseRule(reader.next() as Line));
    } else {
      scenarios.push(parseScenario("", reader, rules, parts));
    }
  }
  return { transport, scenarios };
}

/** The scenario of that name; without a name, the first. Throws if there is none. */
export function findScenario({ scenarios }: ScenarioFile, name: string | undefined): Scenario {
  const found = name === undefined ? scenarios[0] : scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`there is no scenario “${name ?? ""}”`);
  return found;
}

interface Reader {
  peek(): Line | undefined;
  next(): Line | undefined;
}

type Parts = ReadonlyMap<string, readonly Step[]>;

/** Lines that say something, numbered from 1. `#` begins a comment line. */
function listLines(text: string): Line[] {
  return text.split(/\r?\n/).flatMap((content, index) => {
    const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/.exec(content) ?? [];
    return word === "" || word.startsWith("#") ? [] : [{ number: index + 1, word, rest }];
  });
}

function createReader(lines: readonly Line[]): Reader {
  let at = 0;
  return { peek: () => lines[at], next: () => lines[at++] };
}

function parseTransport({ number, rest }: Line): Transport {
  const transport = TRANSPORTS.find((name) => name === rest);
  if (transport === undefined) throw new ScenarioError(number, `a transport is one of ${TRANSPORTS.join(", ")}`);
  return transport;
}

/** Parses up to the next heading. Steps before the first `connect` are a section for any connection. */
function parseScenario(name: string, reader: Reader, shared: readonly Rule[], parts: Parts): Scenario {
  const rules = [...shared];
  const sections: (Section & { readonly steps: Step[] })[] = [];
  for (let line = reader.peek(); line !== undefined && line.word !== "scenario"; line = reader.peek()) {
    if (line.word === "connect") {
      reader.next();
      const opening = line.rest === "" ? null : parsePattern(line.rest, line);
      sections.push({ line: line.number, opening, steps: [] });
    } else if (line.word === "on" || line.word === "ignore") {
      rules.push(parseRule(reader.next() as Line));
    } else {
      if (sections.length === 0) sections.push({ line: line.number, opening: null, steps: [] });
      sections.at(-1)?.steps.push(...parseSteps(reader, parts));
    }
  }
  return { name, rules, sections };
}

/** Parses the steps of one line, or of a block that begins there. */
function parseSteps(reader: Reader, parts: Parts): readonly Step[] {
  const line = reader.next() as Line;
  if (line.word === "repeat") {
    const times = parseInteger(line.rest, line);
    return [{ kind: "repeat", times, steps: parseBlock(reader, line, parts), line: line.number }];
  }
  if (line.word === "join") return [{ kind: "join", steps: parseBlock(reader, line, parts), line: line.number }];
  if (line.word !== "play") return [parseStep(line)];
  const steps = parts.get(line.rest);
  if (steps === undefined) throw new ScenarioError(line.number, `there is no part “${line.rest}” above`);
  return steps;
}

function parseBlock(reader: Reader, opened: Line, parts: Parts): Step[] {
  const steps: Step[] = [];
  for (;;) {
    const line = reader.peek();
    if (line === undefined || line.word === "scenario" || line.word === "connect") {
      throw new ScenarioError(opened.number, `${opened.word} has no end`);
    }
    if (line.word === "end") {
      reader.next();
      return steps;
    }
    steps.push(...parseSteps(reader, parts));
  }
}
