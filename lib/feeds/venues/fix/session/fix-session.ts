import type { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { readFixTime } from "@/lib/feeds/venues/fix/messages/fix-time";
import { BEGIN_STRING, TAG, TYPE } from "@/lib/feeds/venues/fix/messages/tags";
import type { FixField } from "@/lib/feeds/venues/fix/messages/write-message";
import { Heartbeats } from "@/lib/feeds/venues/fix/session/heartbeats";
import { Incoming } from "@/lib/feeds/venues/fix/session/incoming";
import { describeLogout } from "@/lib/feeds/venues/fix/session/logout-reason";
import { Outgoing, type Parties } from "@/lib/feeds/venues/fix/session/outgoing";
import { listRejectFields, type RejectReason } from "@/lib/feeds/venues/fix/session/reject";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/** What a session reports. */
export interface SessionEvents {
  send(bytes: Buffer): void;
  /** The other side's Logon: the answer to that of this side, or the one to answer. */
  loggedOn(logon: FixMessage): void;
  /** A message that is none of the session's own: each once, in the order of their numbers. Rejects are among them. */
  received(message: FixMessage): void;
  /** Messages that have not come will not come either. */
  lost(): void;
}

/**
 * The rules of a FIX 4.4 session over one connection, after FIX Session Protocol: numbers, gaps, heartbeats, logon and
 * logout. Both sides have the same rules but for the logon, which one of them begins. Methods throw the reason when the
 * connection has to end; a VenueError says when to try again. `tick` is to be called twice a second.
 */
export class FixSession {
  readonly #parties: Parties;
  readonly #events: SessionEvents;
  readonly #now: Clock;
  readonly #incoming = new Incoming();
  readonly #outgoing: Outgoing;
  readonly #heartbeats: Heartbeats;
  #isLoggedOn = false;

  constructor(parties: Parties, events: SessionEvents, now: Clock) {
    this.#parties = parties;
    this.#events = events;
    this.#now = now;
    this.#outgoing = new Outgoing(parties, now, (bytes) => events.send(bytes));
    this.#heartbeats = new Heartbeats(this.#outgoing, now);
  }

  /** Sends a message and returns its number. */
  send(type: string, fields: readonly FixField[]): number {
    return this.#outgoing.send(type, fields);
  }

  tick(): void {
    this.#heartbeats.tick();
    if (this.#incoming.isOverdue(this.#now())) throw new Error("the venue did not send missing messages again");
  }

  /** Logs out, if logged on. The connection can be ended at once. */
  logOut(text = ""): void {
    if (this.#isLoggedOn) this.send(TYPE.logout, text === "" ? [] : [[TAG.text, text]]);
    this.#isLoggedOn = false;
  }

  receive(message: FixMessage): void {
    this.#heartbeats.received();
    if (message.beginString !== BEGIN_STRING) this.#end("Incorrect BeginString");
    const { type } = message;
    if (!this.#isLoggedOn && type !== TYPE.logon) {
      // Some venues refuse a logon under other names.
      if (type === TYPE.logout || type === TYPE.reject) throw describeLogout(message, false);
      throw new Error(`the venue answered the logon with a message of type ${type}`);
    }
    if (!this.#hasRightParties(message)) {
      if (this.#isLoggedOn) this.#reject(message, "wrongCompId");
      const [sender, target] = [message.readText(TAG.senderCompId), message.readText(TAG.targetCompId)];
      this.#end(`CompID problem: the venue calls itself ${sender} and this side ${target}`, "");
    }
    this.#receiveOf(type, message);
  }

  #hasRightParties(message: FixMessage): boolean {
    const { senderCompId, targetCompId } = this.#parties;
    return isSame(message.get(TAG.senderCompId), targetCompId) && isSame(message.get(TAG.targetCompId), senderCompId);
  }

  #receiveOf(type: string, message: FixMessage): void {
    if (type === TYPE.logout) {
      this.logOut();
      throw describeLogout(message, true);
    }
    if (type === TYPE.logon) return this.#receiveLogon(message);
    if (type === TYPE.resendRequest) return this.#receiveResendRequest(message);
    if (type === TYPE.sequenceReset && message.get(TAG.gapFillFlag) !== "Y") return this.#receiveReset(message);
    this.#receiveInOrder(message);
  }

  #receiveLogon(message: FixMessage): void {
    const isFirst = !this.#isLoggedOn;
    const isReset = message.get(TAG.resetSeqNumFlag) === "Y" && !message.isPossibleDuplicate;
    if (!isFirst && !isReset) return this.#receiveInOrder(message);
    this.#isLoggedOn = true;
    this.#heartbeats.begin(message.readInteger(TAG.heartBtInt) * SECOND_MS || 0);
    if (isFirst) this.#events.loggedOn(message);
    else this.#restart(message);
    const { number } = message;
    if (number <= this.#incoming.expected) return this.#receiveInOrder(message);
    this.#incoming.openGap(number, false, this.#now());
    this.#requestMissing();
  }

  /** Both sides count from 1 again. */
  #restart(message: FixMessage): void {
    this.#incoming.restart(1);
    this.#outgoing.nextNumber = 1;
    this.send(TYPE.logon, [
      [TAG.encryptMethod, 0],
      [TAG.heartBtInt, message.get(TAG.heartBtInt) ?? 0],
      [TAG.resetSeqNumFlag, "Y"],
    ]);
    this.#events.lost();
  }

  #receiveInOrder(message: FixMessage): void {
    const { number } = message;
    const { expected } = this.#incoming;
    if (Number.isNaN(number)) this.#end("MsgSeqNum missing");
    if (number > expected) {
      if (this.#incoming.hold(number, message, this.#now())) this.#requestMissing();
      return;
    }
    if (number < expected) return this.#receiveOld(message);
    this.#accept(message);
    for (let held = this.#incoming.takeNext(); held !== undefined; held = this.#incoming.takeNext()) this.#accept(held);
  }

  /** A number that was there already: an error, unless the other side says so. */
  #receiveOld(message: FixMessage): void {
    if (!message.isPossibleDuplicate) {
      this.#end(`MsgSeqNum too low, expecting ${this.#incoming.expected} but received ${message.number}`);
    }
    if (message.type === TYPE.sequenceReset) return;
    const original = message.get(TAG.origSendingTime);
    if (original === undefined) return this.#reject(message, "missingTag", TAG.origSendingTime);
    if ((readFixTime(original) ?? 0) <= (readFixTime(message.get(TAG.sendingTime)) ?? Infinity)) return;
    this.#reject(message, "wrongTime");
    this.#end("SendingTime accuracy problem", "");
  }

  #accept(message: FixMessage): void {
    if (message.type === TYPE.sequenceReset) return this.#receiveGapFill(message);
    this.#incoming.advance();
    this.#read(message);
  }

  #read(message: FixMessage): void {
    if (message.isMalformed) return this.#reject(message, "invalidTag");
    switch (message.type) {
      case TYPE.heartbeat:
      case TYPE.logon:
      case TYPE.sequenceReset:
        return;
      case TYPE.testRequest: {
        const id = message.get(TAG.testReqId);
        return void this.send(TYPE.heartbeat, id ? [[TAG.testReqId, id]] : []);
      }
      default:
        this.#events.received(message);
    }
  }

  #receiveGapFill(message: FixMessage): void {
    const next = message.readInteger(TAG.newSeqNo);
    if (!(next > this.#incoming.expected)) {
      this.#incoming.advance();
      return this.#reject(message, "wrongValue");
    }
    // What has come out of order counts, although the other side would not send it again.
    const { held, isLossy } = this.#incoming.skipTo(next);
    if (isLossy) this.#events.lost();
    for (const each of held) this.#read(each);
  }

  #receiveReset(message: FixMessage): void {
    const next = message.readInteger(TAG.newSeqNo);
    const { expected } = this.#incoming;
    if (!(next >= expected)) return this.#reject(message, "wrongValue");
    if (next === expected) return;
    this.#incoming.restart(next);
    this.#events.lost();
  }

  /** Requests are of no use a second time, so that the answer to a ResendRequest is always that nothing is sent again. */
  #receiveResendRequest(message: FixMessage): void {
    const first = message.readInteger(TAG.beginSeqNo);
    const last = message.readInteger(TAG.endSeqNo);
    const newest = this.#outgoing.nextNumber - 1;
    if (first >= 1 && first <= newest) {
      this.#outgoing.fillGap(first, last >= first ? Math.min(last, newest) : newest);
    }
    if (message.number === this.#incoming.expected) this.#receiveInOrder(message);
  }

  #requestMissing(): void {
    this.send(TYPE.resendRequest, [
      [TAG.beginSeqNo, this.#incoming.expected],
      [TAG.endSeqNo, 0],
    ]);
  }

  #reject(message: FixMessage, reason: RejectReason, tag?: number): void {
    this.send(TYPE.reject, listRejectFields(message, reason, tag));
  }

  /** @param text what the Logout says; nothing after a Reject */
  #end(reason: string, text = reason): never {
    this.logOut(text);
    throw new Error(reason);
  }
}

/** Some venues write their own name in capitals only. */
const isSame = (one: string | undefined, other: string) => one === other || one?.toUpperCase() === other.toUpperCase();
