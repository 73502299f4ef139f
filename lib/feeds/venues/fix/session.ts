import { VenueError } from "@/lib/feeds/live/connector";
import {
  BEGIN_STRING,
  type FixField,
  type FixMessage,
  formatFixTime,
  readFixTime,
  TAG,
  TYPE,
  writeMessage,
} from "@/lib/feeds/venues/fix/messages";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

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

/** A logon that is not answered for this long has failed. */
const LOGON_MS = 10 * SECOND_MS;
/** A silence of the interval and a reasonable time of transmission: the usual reading of the specification. */
const PATIENCE = 1.2;

/** Sends heartbeats, asks a silent venue whether it is alive, and notices when it is not. */
class Heartbeats {
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

/** More than comes in some seconds; a venue that never fills a gap must not fill the memory. */
const MAX_HELD_MESSAGES = 10_000;
const MAX_HELD_BYTES = 16 * 1_024 * 1_024;
/** A gap that the venue does not fill for this long ends the connection. */
const GAP_MS = 10 * SECOND_MS;

/** The incoming half of a session: the number of the next message, and the messages that wait for missing ones. */
export class Incoming {
  expected = 1;
  readonly #held = new Map<number, FixMessage>();
  #heldBytes = 0;
  /** The highest number that has come; 0 without a gap. */
  #gapEnd = 0;
  /** The first number of the last ResendRequest. */
  #requestedFrom = 0;
  #gapAtMs = 0;

  /** Holds a message whose number is too high. Returns whether the missing ones have to be requested. */
  hold(number: number, message: FixMessage, nowMs: number): boolean {
    this.#release(number);
    this.#heldBytes += message.size;
    this.#held.set(number, message.copy());
    if (this.#held.size > MAX_HELD_MESSAGES || this.#heldBytes > MAX_HELD_BYTES) {
      throw new Error("too many messages wait for a missing one");
    }
    return this.openGap(number, message.isPossibleDuplicate, nowMs);
  }

  /** Notes that a message with a number above the expected one has come. Returns whether to request the missing ones. */
  openGap(number: number, isResent: boolean, nowMs: number): boolean {
    if (this.#gapEnd === 0) this.#gapAtMs = nowMs;
    this.#gapEnd = Math.max(this.#gapEnd, number);
    // A message that is sent again and leaves one out again shows that the first request was not enough.
    const isNew = this.#requestedFrom === 0 || (isResent && this.#requestedFrom !== this.expected);
    if (isNew) this.#requestedFrom = this.expected;
    return isNew;
  }

  /** Counts the expected message. */
  advance(): void {
    this.#moveTo(this.expected + 1);
  }

  /** Returns the expected message if it was held. It is held no longer. */
  takeNext(): FixMessage | undefined {
    return this.#held.size === 0 ? undefined : this.#release(this.expected);
  }

  /**
   * Continues at a higher number: the venue sends nothing again that is lower. Returns the held messages below it, in
   * order, and whether others are lost.
   */
  skipTo(number: number): { readonly held: readonly FixMessage[]; readonly isLossy: boolean } {
    const numbers = [...this.#held.keys()].filter((each) => each < number).sort((a, b) => a - b);
    const held = numbers.flatMap((each) => this.#release(each) ?? []);
    const isLossy = number - this.expected > held.length;
    this.#moveTo(number);
    return { held, isLossy };
  }

  /** Begins a new numbering. Held messages are of the old one. */
  restart(expected: number): void {
    this.#held.clear();
    this.#heldBytes = 0;
    this.#gapEnd = 0;
    this.#moveTo(expected);
  }

  /** Whether missing messages were requested long ago. */
  isOverdue(nowMs: number): boolean {
    return this.#gapEnd !== 0 && nowMs - this.#gapAtMs >= GAP_MS;
  }

  #release(number: number): FixMessage | undefined {
    const message = this.#held.get(number);
    if (message === undefined) return undefined;
    this.#held.delete(number);
    this.#heldBytes -= message.size;
    return message;
  }

  #moveTo(number: number): void {
    this.expected = number;
    if (number <= this.#gapEnd) return;
    this.#gapEnd = 0;
    this.#requestedFrom = 0;
  }
}

/** Who talks to whom. */
export interface Parties {
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** Empty if the venue needs none. */
  readonly senderSubId: string;
  readonly targetSubId: string;
}

/** The outgoing half of a session: numbers and sends messages. */
class Outgoing {
  /** When the last message was sent, UTC milliseconds. */
  sentAtMs: number;
  /** The number of the next message. */
  nextNumber = 1;
  readonly #parties: Parties;
  readonly #now: Clock;
  readonly #write: (bytes: Buffer) => void;

  constructor(parties: Parties, now: Clock, write: (bytes: Buffer) => void) {
    this.#parties = parties;
    this.#now = now;
    this.#write = write;
    this.sentAtMs = now();
  }

  /** Sends a message and returns its number. */
  send(type: string, fields: readonly FixField[]): number {
    const number = this.nextNumber++;
    this.#write(writeMessage([...this.#listHeader(type, number), ...fields]));
    return number;
  }

  /** Sends that the messages from one number to another, both included, are not sent again. */
  fillGap(first: number, last: number): void {
    const duplicate: readonly FixField[] = [
      [TAG.possDupFlag, "Y"],
      [TAG.origSendingTime, formatFixTime(this.#now())],
    ];
    const fields: readonly FixField[] = [
      [TAG.newSeqNo, last + 1],
      [TAG.gapFillFlag, "Y"],
    ];
    this.#write(writeMessage([...this.#listHeader(TYPE.sequenceReset, first), ...duplicate, ...fields]));
  }

  #listHeader(type: string, number: number): FixField[] {
    this.sentAtMs = this.#now();
    const { senderCompId, targetCompId, senderSubId, targetSubId } = this.#parties;
    const header: readonly FixField[] = [
      [TAG.msgType, type],
      [TAG.senderCompId, senderCompId],
      [TAG.targetCompId, targetCompId],
      [TAG.msgSeqNum, number],
      [TAG.senderSubId, senderSubId],
      [TAG.targetSubId, targetSubId],
      [TAG.sendingTime, formatFixTime(this.sentAtMs)],
    ];
    return header.filter(([, value]) => value !== "");
  }
}

/** LMAX refuses logons for this long after too many messages. */
const RATE_PAUSE_MS = 15 * SECOND_MS;

/** SessionStatus (1409): wrong username or password, locked account, expired password. */
const FINAL_STATUSES: ReadonlySet<string> = new Set(["5", "6", "8"]);
/** SessionStatus: logons are not allowed at this time. */
const CLOSED_STATUS = "7";

// FIX 4.4 has no codes for these reasons, so the text decides.
const LATER = /\b(later|again|temporar\w*|unavailable)\b/i;
const RATE = /\brate\b|too many|throttl/i;
const CLOSED = /session time|not within|outside|not allowed at th|out of (hours|session)/i;
const FINAL =
  /passw|user ?name|user ?id|credential|authenticat|authori[sz]|comp ?id|sub ?id|invalid[ _](login|user|data|account)|no[ _]such[ _]login|account[ _](is )?(disabled|locked)/i;

/** Makes of a venue's Logout, or of its Reject of a logon, the reason why the connection ends. */
function describeLogout(message: FixMessage, isLoggedOn: boolean): VenueError {
  const text = message.readText(TAG.text);
  const status = message.get(TAG.sessionStatus) ?? "";
  const reason = text || (status === "" ? "no reason given" : `session status ${status}`);
  if (RATE.test(text)) {
    return new VenueError(`the venue's limit of messages was exceeded: ${reason}`, { retryAfterMs: RATE_PAUSE_MS });
  }
  if (isLoggedOn) return new VenueError(`the venue logged out: ${reason}`);
  if (status === CLOSED_STATUS || CLOSED.test(text)) {
    return new VenueError(`the venue's session is closed now: ${reason}`, { retryAfterMs: MINUTE_MS });
  }
  const isFinal = FINAL_STATUSES.has(status) || (FINAL.test(text) && !LATER.test(text));
  return new VenueError(`the venue refused the logon: ${reason}`, { isFinal, retryAfterMs: RATE_PAUSE_MS });
}

/** SessionRejectReason (373), with the texts of the specification. */
const REJECTS = {
  invalidTag: [0, "Invalid tag number"],
  missingTag: [1, "Required tag missing"],
  wrongValue: [5, "Value is incorrect (out of range) for this tag"],
  wrongCompId: [9, "CompID problem"],
  wrongTime: [10, "SendingTime accuracy problem"],
} as const;

type RejectReason = keyof typeof REJECTS;

/** The fields of a Reject of a message, for one of its fields where that is the reason. */
function listRejectFields(message: FixMessage, reason: RejectReason, tag?: number): FixField[] {
  const [code, text] = REJECTS[reason];
  return [
    [TAG.refSeqNum, message.number || 0],
    [TAG.text, text],
    ...(tag === undefined ? [] : [[TAG.refTagId, tag] as const]),
    [TAG.refMsgType, message.type],
    [TAG.sessionRejectReason, code],
  ];
}
