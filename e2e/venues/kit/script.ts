import { ConnectionEnded, type Received, type VenueConnection } from "@/e2e/venues/kit/connection";
import { matches, type Message } from "@/e2e/venues/kit/messages";
import { findExpect, playSection, type Run, type Stage } from "@/e2e/venues/kit/play-section";
import type { Scenario, Section } from "@/e2e/venues/kit/scenario";
import { createVariables } from "@/e2e/venues/kit/variables";
import type { Opening } from "@/e2e/venues/kit/wires/wire";

export interface ScriptOptions extends Omit<Stage, "ignores"> {
  readonly scenario: Scenario;
  readonly seed: string;
  /** The venue's clock: UTC milliseconds. */
  readonly now: () => number;
}

/** A scenario that is being played to the connections of one venue. */
export interface Script {
  /** The section for a new connection; null if the scenario has none. */
  choose(opening: Opening): Section | null;
  /** Plays a section until its end or the connection's. Never rejects. */
  run(section: Section, connection: VenueConnection): Promise<void>;
  /** Answers a message by the first rule that fits. Returns whether it was answered. */
  applyRules(connection: VenueConnection, received: Received): boolean;
  /** Whether every section has been played to its end. */
  readonly isFinished: boolean;
  /** The sections that no client has connected for, in sentences. */
  listUnopened(): string[];
  /** What the open connections wait for, in sentences. */
  listWaiting(): string[];
}

export function createScript(options: ScriptOptions): Script {
  const { scenario, report } = options;
  const runs: Run[] = [];
  const stage: Stage = { ...options, ignores: (message) => findRule(message)?.answer === null };

  const findRule = (message: Message) => scenario.rules.find(({ pattern }) => matches(pattern, message));

  const hasFinished = (section: Section) => runs.some((run) => run.section === section && run.isFinished);
  const isTaken = (section: Section) => runs.some((run) => run.section === section && !run.connection.isBroken);

  /** What a run that was left waits for; undefined if another run has played its section, or nothing is missing. */
  function findMissing({ section, connection, step }: Run): string | undefined {
    if (connection.isBroken || hasFinished(section)) return undefined;
    const missing = findExpect(section.steps, step?.line ?? 0);
    return missing && `line ${missing.line}: the client has not sent ${missing.text}`;
  }

  async function run(section: Section, connection: VenueConnection): Promise<void> {
    const variables = createVariables({ seed: `${options.seed} ${connection.number}`, now: options.now });
    const current: Run = { section, connection, variables, step: null, isFinished: false };
    runs.push(current);
    try {
      await playSection(current, stage);
    } catch (error) {
      if (!(error instanceof ConnectionEnded)) report(`line ${current.step?.line}: ${String(error)}`);
      const missing = findMissing(current);
      if (missing === undefined) current.isFinished = !connection.isBroken;
      else report(missing);
    }
  }

  return {
    run,
    choose(opening) {
      const message: Message = { kind: "json", value: opening };
      const fitting = scenario.sections.filter((section) => !section.opening || matches(section.opening, message));
      return fitting.find((section) => !isTaken(section)) ?? fitting.at(-1) ?? null;
    },
    applyRules(connection, received) {
      const answer = findRule(received.message)?.answer ?? null;
      const variables = runs.find((other) => other.connection === connection)?.variables;
      if (answer === null || variables === undefined) return false;
      connection.send(variables.fill(answer, received.message)).catch(() => {});
      return true;
    },
    get isFinished() {
      return scenario.sections.every(hasFinished);
    },
    listUnopened() {
      return scenario.sections
        .filter((section) => !isTaken(section))
        .map(({ line }) => `line ${line}: the client has not connected`);
    },
    listWaiting() {
      return runs
        .filter(({ section, connection }) => !connection.isBroken && !hasFinished(section))
        .map((run) => findMissing(run) ?? `line ${run.step?.line}: the scenario is not at its end`);
    },
  };
}
