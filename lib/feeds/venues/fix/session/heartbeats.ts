import { TAG, TYPE } from "@/lib/feeds/venues/fix/messages/tags";
import type { Outgoing } from "@/lib/feeds/venues/fix/session/outgoing";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/** A logon that is not answered for this long has failed. */
const LOGON_MS = 10 * SECOND_MS;
/** A silence of the interval and a reasonable time of transmission: the usual reading of the specification. */
const PATIENCE = 1.2;

/** Sends heartbeats, asks a silent venue whether it is alive, and notices when it is not. */
export class Heartbeats {
  readonly #outgoing: Outgoing;
  readonly #now: Clock;
  readonly #createdAtMs: number;
  /** Null before the logon; 0 if the other side wants no heartbeats. */
  #intervalMs: number | null = null;
  #receivedAtMs: number;
  /** When a TestRequest was sent that is unanswered; null if none is. */
  #testedAtMs: number | null = null;

  constructor(outgoing: Outgoing, now: Clock) {
    this.#outgoing = outgoing;
    this.#now = now;
    this.#createdAtMs = now();
    this.#receivedAtMs = this.#createdAtMs;
  }

  /** The logon was answered, with this interval. */
  begin(intervalMs: number): void {
    this.#intervalMs = intervalMs;
  }

  /** Any message shows that the venue is alive. */
  received(): void {
    this.#receivedAtMs = this.#now();
    this.#testedAtMs = null;
  }

  /** Throws if the venue is not alive. */
  tick(): void {
    const nowMs = this.#now();
    if (this.#intervalMs === null) {
      if (nowMs - this.#createdAtMs >= LOGON_MS) throw new Error(`no answer to the logon within ${LOGON_MS} ms`);
      return;
    }
    if (this.#intervalMs === 0) return;
    const patienceMs = this.#intervalMs * PATIENCE;
    if (this.#testedAtMs !== null) {
      if (nowMs - this.#testedAtMs >= patienceMs) throw new Error("the venue did not answer a TestRequest");
    } else if (nowMs - this.#receivedAtMs >= patienceMs) {
      this.#testedAtMs = nowMs;
      this.#outgoing.send(TYPE.testRequest, [[TAG.testReqId, "TEST"]]);
    } else if (nowMs - this.#outgoing.sentAtMs >= this.#intervalMs) {
      this.#outgoing.send(TYPE.heartbeat, []);
    }
  }
}
