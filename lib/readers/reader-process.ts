import type { ChildProcess } from "node:child_process";
import type { ReturnedCalls } from "@/lib/access/admission/call-counter";
import type { Traffic } from "@/lib/access/usage/traffic";
import { describeFault, isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import { inBackground } from "@/lib/platform/faults";
import type { Logger } from "@/lib/platform/log/log";
import { CallCounts } from "@/lib/platform/metrics/call-counts";
import {
  ALIVE_EVERY_MS,
  type Answers,
  type Changes,
  type ProcessReport,
  type Request,
  type Snapshot,
  type ToReader,
  type ToWriter,
} from "@/lib/readers/messages";
import type { Publisher } from "@/lib/readers/publisher";
import { SECOND_MS } from "@/lib/time/units";

/** A reader, as the writer sees it while it answers a request of it. */
export interface Reader {
  recall(keyIds: readonly string[]): Promise<void>;
}

/** What the writer does for a reader. */
export interface WriterSide {
  readonly publisher: Pick<Publisher, "add" | "remove">;
  /** Answers a request. A reader stands for one process, until `onReaderEnd`. */
  answer(request: Request, reader: Reader): Promise<Answers[Request["type"]]>;
  onRelease(message: ToWriter & { type: "release" }): void;
  onReturn(calls: ReturnedCalls, reader: Reader): void;
  onStreamClose(keyId: string, reader: Reader): void;
  onReaderEnd(reader: Reader): void;
}

export interface ReaderOptions {
  /** What it is, for the log: "pages process". */
  readonly name: string;
  readonly fork: () => ChildProcess;
  readonly writer: WriterSide;
  /** Called when the process has a snapshot. */
  readonly onSnapshot?: (reader: ReaderProcess) => void;
  /** Called when the process is ready to listen. */
  readonly onReady?: (reader: ReaderProcess) => void;
  /** Called when the process listens, with true, and when it has ended. */
  readonly onListening?: (isListening: boolean) => void;
  /** Called with the sentence with which the process could not start. */
  readonly onFailed?: (reason: string) => void;
  readonly log: Logger;
  readonly aliveEveryMs?: number;
}

const RESTART_AFTER_MS = 1_000;
const MAX_RESTART_AFTER_MS = 30_000;
/** A process that lived for this long is restarted at once. */
export const STEADY_MS = 10 * SECOND_MS;
/** What a reader takes longer for than it was given. */
const STOP_MARGIN_MS = 4_000;
/** A reader with this many messages under way takes none: it gets no more, and a snapshot later. */
const MAX_UNDER_WAY = 2_000;

/** Runs a process that reads from this one, sends it changes, and restarts it if it ends or hangs. */
export class ReaderProcess {
  /** What it tells of itself. */
  readonly reports = new ProcessReports();
  readonly #options: ReaderOptions;
  readonly #heartbeat: Heartbeat;
  readonly #demands = new Demands((message) => this.send(message));
  #child: ChildProcess | null = null;
  #sendChanges: ((message: Snapshot | Changes) => void) | null = null;
  #isStopping = false;
  /** Messages that the system has not taken yet. */
  #outbox = { underWay: 0 };
  #startedAtMs = 0;
  #starts = 0;
  #residentBytes = 0;
  #quickEnds = 0;
  #reader: Reader = this.#createReader();
  #markListening = () => {};
  #whenListening = new Promise<void>((resolve) => (this.#markListening = resolve));

  constructor(options: ReaderOptions) {
    this.#options = options;
    const { aliveEveryMs = ALIVE_EVERY_MS } = options;
    this.#heartbeat = new Heartbeat({ everyMs: aliveEveryMs, onSilence: () => this.#killHung() });
    this.#start();
  }

  /** Resolves when the process answers requests. */
  listening(): Promise<void> {
    return this.#whenListening;
  }

  /** Whether the process has started and does not hang. */
  get isAnswering(): boolean {
    return this.#heartbeat.isReporting;
  }

  /** How often it was started again. */
  get restarts(): number {
    return this.#starts - 1;
  }

  /** Its memory as it last reported it; 0 before. */
  get residentBytes(): number {
    return this.#residentBytes;
  }

  send(message: ToReader): void {
    this.#sendTo(this.#child, message);
  }

  /** Resolves once the process has loaded what was changed before this call, or after a bounded time. */
  loadKeys(): Promise<void> {
    return this.#sendChanges === null
      ? Promise.resolve()
      : this.#demands.send((request) => ({ type: "load-keys", request }));
  }

  /** Lets the process finish its requests, then ends it. */
  async stop(delayMs: number, drainMs: number): Promise<void> {
    this.#isStopping = true;
    this.#heartbeat.stop();
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    this.send({ type: "stop", delayMs, drainMs });
    const giveUp = setTimeout(() => child.kill("SIGKILL"), delayMs + drainMs + STOP_MARGIN_MS);
    await ended;
    clearTimeout(giveUp);
  }

  #createReader(): Reader {
    return { recall: (keyIds) => this.#demands.send((request) => ({ type: "recall", request, keyIds })) };
  }

  #start(): void {
    const { fork, name, log } = this.#options;
    const child = fork();
    this.#child = child;
    this.#outbox = { underWay: 0 };
    this.#startedAtMs = performance.now();
    this.#starts++;
    this.#residentBytes = 0;
    this.#heartbeat.restart();
    child.on("message", (message: ToWriter) => this.#onMessage(child, message));
    child.on("error", (error) => {
      log.error({ err: error }, `${name} unreachable`);
      // Without a free file descriptor no process was started, so none ends.
      if (child.pid === undefined) this.#restart();
    });
    child.once("exit", (code, signal) => {
      this.#forget();
      if (this.#isStopping) return;
      log.error({ code, signal }, `${name} ended; restarting it`);
      this.#restart();
    });
  }

  #restart(): void {
    const isQuick = performance.now() - this.#startedAtMs < STEADY_MS;
    this.#quickEnds = isQuick ? this.#quickEnds + 1 : 0;
    const pauseMs = isQuick ? Math.min(MAX_RESTART_AFTER_MS, RESTART_AFTER_MS * 2 ** (this.#quickEnds - 1)) : 0;
    this.#forget();
    this.#heartbeat.restart();
    this.#whenListening = new Promise((resolve) => (this.#markListening = resolve));
    this.#options.onListening?.(false);
    setTimeout(() => this.#isStopping || this.#start(), pauseMs);
  }

  /** Ends what the writer does for a process that has ended. */
  #forget(): void {
    const { writer } = this.#options;
    if (this.#sendChanges !== null) writer.publisher.remove(this.#sendChanges);
    this.#sendChanges = null;
    this.reports.onEnd();
    writer.onReaderEnd(this.#reader);
    this.#reader = this.#createReader();
    this.#demands.endAll();
  }

  #killHung(): void {
    this.#options.log.error(`${this.#options.name} hangs; ending it`);
    this.#child?.kill("SIGKILL");
  }

  #onMessage(child: ChildProcess, message: ToWriter): void {
    const { writer, onReady, onListening, onFailed } = this.#options;
    this.#heartbeat.onReport();
    switch (message.type) {
      case "alive":
        return void (this.#residentBytes = message.residentBytes);
      case "ready":
        return onReady?.(this);
      case "listening":
        this.#heartbeat.onStarted();
        this.#markListening();
        return onListening?.(true);
      case "failed":
        return onFailed?.(message.reason);
      case "send-snapshot":
        return inBackground(this.#sendSnapshot(child), this.#options.log, "sending a snapshot");
      case "request":
        return inBackground(this.#answer(child, message), this.#options.log, "answering another process");
      case "done":
        return this.#demands.onDone(message.request);
      case "return":
        return writer.onReturn(message.calls, this.#reader);
      case "release":
        return writer.onRelease(message);
      case "close-stream":
        return writer.onStreamClose(message.keyId, this.#reader);
      case "traffic":
        return this.reports.onTraffic(message.traffic);
      case "report":
        return this.reports.onReport(message.report, child);
    }
  }

  async #sendSnapshot(child: ChildProcess): Promise<void> {
    const { publisher } = this.#options.writer;
    const send = (this.#sendChanges ??= (message) => this.#sendIfTaken(child, message));
    await publisher.add(send);
    // The process may have ended meanwhile.
    if (this.#sendChanges !== send) publisher.remove(send);
    else this.#options.onSnapshot?.(this);
  }

  async #answer(child: ChildProcess, { request, body }: ToWriter & { type: "request" }): Promise<void> {
    try {
      this.#sendTo(child, { type: "answer", request, answer: await this.#options.writer.answer(body, this.#reader) });
    } catch (error) {
      const isUnavailable = isDatabaseUnavailable(error);
      this.#sendTo(child, { type: "failure", request, reason: describeFault(error), isUnavailable });
    }
  }

  /** Leaves out what a reader that takes nothing would have to take later. It finds the gap by itself. */
  #sendIfTaken(child: ChildProcess, message: Snapshot | Changes): void {
    if (this.#outbox.underWay < MAX_UNDER_WAY) this.#sendTo(child, message);
  }

  #sendTo(child: ChildProcess | null, message: ToReader): void {
    // The process may have just ended. Its exit is logged elsewhere.
    if (child?.connected !== true) return;
    const outbox = this.#outbox;
    outbox.underWay++;
    child.send(message, () => outbox.underWay--);
  }
}

/** A reader that has not done what it must in this time does it later. */
const DONE_WITHIN_MS = 1_000;

/** What a reader must do and then acknowledge. */
class Demands {
  readonly #send: (message: ToReader) => void;
  readonly #pending = new Map<number, () => void>();
  #latest = 0;

  constructor(send: (message: ToReader) => void) {
    this.#send = send;
  }

  /** Sends a message, and resolves once the reader has done it or has ended, or after a bounded time. */
  send(toMessage: (request: number) => ToReader): Promise<void> {
    const request = ++this.#latest;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#pending.delete(request);
        resolve();
      };
      const timer = setTimeout(done, DONE_WITHIN_MS);
      this.#pending.set(request, done);
      this.#send(toMessage(request));
    });
  }

  onDone(request: number): void {
    this.#pending.get(request)?.();
  }

  endAll(): void {
    for (const done of this.#pending.values()) done();
  }
}

interface Options {
  /** How often the process should report. */
  readonly everyMs: number;
  /** Called when too many reports in a row are missing. */
  readonly onSilence: () => void;
}

/** After this many missing reports a process hangs. Each is counted by a timer, so a pause of both processes is none. */
const MAX_MISSED = 20;
/** A process that starts may compute for longer. */
const MAX_MISSED_AT_START = 90;
/** After this many, callers should know. */
const MISSED_TO_REPORT = 5;

/** Counts the missing reports of another process. */
class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #missed = 0;
  #isStarting = true;

  constructor({ everyMs, onSilence }: Options) {
    this.#timer = setInterval(() => {
      this.#missed++;
      if (this.#missed < (this.#isStarting ? MAX_MISSED_AT_START : MAX_MISSED)) return;
      this.restart();
      onSilence();
    }, everyMs).unref();
  }

  /** Whether the process has started and reports. */
  get isReporting(): boolean {
    return !this.#isStarting && this.#missed < MISSED_TO_REPORT;
  }

  onReport(): void {
    this.#missed = 0;
  }

  onStarted(): void {
    this.#isStarting = false;
  }

  /** Waits for a new process. */
  restart(): void {
    this.#missed = 0;
    this.#isStarting = true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/**
 * The reports of a process and of those that it replaced. The counts of a process that has ended stay, as it last
 * reported them, so that no total ever falls.
 */
export class ProcessReports {
  readonly #ended = new CallCounts();
  #latest: ProcessReport | null = null;
  #longestDelayMs = 0;
  #traffic: Traffic | null = null;

  /** The calls of the process in the last minute; null before its first report. */
  get traffic(): Traffic | null {
    return this.#traffic;
  }

  onTraffic(traffic: Traffic): void {
    this.#traffic = traffic;
  }

  onReport(report: ProcessReport, sender: Pick<ChildProcess, "exitCode" | "signalCode">): void {
    // A message may arrive after the end of its process, whose counts were added then.
    if (sender.exitCode !== null || sender.signalCode !== null) return;
    this.#latest = report;
    this.#longestDelayMs = Math.max(this.#longestDelayMs, report.delayMs);
  }

  /** Called when the process has ended, perhaps more than once. */
  onEnd(): void {
    this.#ended.addAll(this.#latest?.calls ?? []);
    this.#latest = null;
    this.#traffic = null;
  }

  /** Adds the calls of all these processes. */
  addTo(calls: CallCounts): void {
    calls.addAll(this.#ended.list());
    calls.addAll(this.#latest?.calls ?? []);
  }

  get connections(): number {
    return this.#latest?.connections ?? 0;
  }

  get streams(): number {
    return this.#latest?.streams ?? 0;
  }

  /** Null before the first report. */
  get lagMs(): number | null {
    return this.#latest?.lagMs ?? null;
  }

  /** The longest delay of the event loop since the reading before; if no report has come since, that of the latest. */
  readDelayMs(): number {
    const delayMs = this.#longestDelayMs;
    this.#longestDelayMs = this.#latest?.delayMs ?? 0;
    return delayMs;
  }
}
