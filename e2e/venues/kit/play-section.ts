import type { VenueConnection } from "@/e2e/venues/kit/connection";
import { matches, type Message } from "@/e2e/venues/kit/messages";
import type { Section, Step } from "@/e2e/venues/kit/scenario";
import type { Variables } from "@/e2e/venues/kit/variables";

/** One run of a section on one connection. */
export interface Run {
  readonly section: Section;
  readonly connection: VenueConnection;
  readonly variables: Variables;
  /** The step that is being played. */
  step: Step | null;
  isFinished: boolean;
}

/** What a section needs of its venue. */
export interface Stage {
  /** Real milliseconds for each millisecond of `wait`. */
  readonly timeScale: number;
  /** Multiplies `repeat`; above 1, waits in a `repeat` are left out. */
  readonly burst: number;
  /** What a `feed` sends: texts of messages, which may hold variables. */
  feed(): Iterable<string>;
  /** Sets how far the venue's clock is ahead. */
  skew(seconds: number): void;
  report(violation: string): void;
  /** Whether a message may come instead of what is expected. */
  ignores(message: Message): boolean;
  /** All other open connections. */
  listOthers(connection: VenueConnection): readonly VenueConnection[];
}

/** Plays a section to its end. Rejects with ConnectionEnded if the connection ends before. */
export async function playSection(run: Run, stage: Stage): Promise<void> {
  const { connection, variables } = run;
  let last: Message | undefined;
  const fill = (text: string) => variables.fill(text, last);

  async function expectMessage(step: Step & { kind: "expect" }) {
    for (;;) {
      const { text, message } = await connection.receive();
      if (matches(step.pattern, message)) {
        last = message;
        return;
      }
      if (stage.ignores(message)) continue;
      stage.report(`line ${step.line}: expected ${step.text}, but the client sent ${text}`);
    }
  }

  async function repeat({ times, steps }: Step & { kind: "repeat" }) {
    for (let round = 0; round < times * stage.burst; round++) await play(steps, true);
  }

  async function sendFeed() {
    for (const text of stage.feed()) await connection.send(fill(text));
  }

  async function evict(text: string) {
    for (const other of stage.listOthers(connection)) {
      await other.send(text);
      await other.close();
    }
  }

  async function play(steps: readonly Step[], isRepeated: boolean) {
    for (const step of steps) {
      run.step = step;
      await playStep(step, isRepeated);
    }
  }

  function playStep(step: Step, isRepeated: boolean): Promise<void> | void {
    switch (step.kind) {
      case "expect":
        return expectMessage(step);
      case "send":
        return connection.send(fill(step.text));
      case "raw":
        return connection.raw(fill(step.text));
      case "ping":
        return connection.ping(step.text);
      case "answer":
        return connection.answer(step.status, step.headers);
      case "evict":
        return evict(fill(step.text));
      case "chunk":
        return connection.chunk(step.bytes);
      case "wait":
        return isRepeated && stage.burst > 1 ? undefined : connection.wait(step.ms * stage.timeScale);
      case "close":
        return connection.close(step.code, step.reason);
      case "reset":
        return connection.reset();
      case "feed":
        return sendFeed();
      case "silent":
        return connection.goSilent();
      case "skew":
        return stage.skew(step.seconds);
      case "price":
        return variables.setPrice(step.start, step.spread);
      case "repeat":
        return repeat(step);
      case "join":
        return connection.together(() => play(step.steps, isRepeated));
    }
  }

  await play(run.section.steps, false);
  connection.flush();
  run.isFinished = true;
}

/** The first `expect` from a line on; undefined if the client has nothing more to send. */
export function findExpect(steps: readonly Step[], fromLine: number): (Step & { kind: "expect" }) | undefined {
  for (const step of steps) {
    if (step.kind === "expect" && step.line >= fromLine) return step;
    const inner = "steps" in step ? findExpect(step.steps, fromLine) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
