import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import type { Counters } from "@/lib/access/admission/counters";
import type { Directory } from "@/lib/access/admission/directory";
import type { Book } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import type { Quote } from "@/lib/feeds/intake";
import type { HistoryFollower } from "@/lib/history/history";
import type { Instrument } from "@/lib/market/instrument";
import { Heartbeat } from "@/lib/pages/heartbeat";
import { ALIVE_EVERY_MS, encodeSecond, type QuoteMessage, type ToPages, type ToServer } from "@/lib/pages/messages";
import type { ServerStatus } from "@/lib/pages/server-status";
import { getLocalSocketPath } from "@/lib/platform/local-socket";
import type { Logger } from "@/lib/platform/log/log";
import { createTemporaryFolder } from "@/lib/platform/temporary-folder";
import type { Clock } from "@/lib/platform/timing/clock";

interface Options {
  /** The module to run. */
  readonly entry: string;
  readonly book: Book;
  readonly listSources: () => readonly FeedSource[];
  readonly isInPast: boolean;
  readonly instruments: readonly Instrument[];
  readonly marketNow: Clock;
  readonly directory: Pick<Directory, "refresh">;
  readonly serverStatus: () => Promise<ServerStatus>;
  readonly counters: (accountId: string) => Promise<Counters>;
  readonly saveHistory: () => Promise<void>;
  readonly log: Logger;
  readonly aliveEveryMs?: number;
}

const BATCH_MS = 50;
const STATUS_MS = 2_000;
const RESTART_AFTER_MS = 1_000;
const STOP_WITHIN_MS = 6_000;

/** Runs the process that renders the pages, restarts it if it ends or hangs, and sends it prices and recorded seconds. */
export class PagesProcess {
  /** The local socket on which the process answers HTTP. */
  readonly socketPath: string;
  /** Sends recorded seconds and changes of the history. */
  readonly history: HistoryFollower = {
    onRecorded: (rows, completeUntilMs) =>
      this.sendIfGreeted({ type: "recorded", seconds: rows.map(encodeSecond), completeUntilMs }),
    onClosed: (hourMs) => this.sendIfGreeted({ type: "closed", hourMs }),
    onRewritten: () => this.sendIfGreeted({ type: "rewritten" }),
  };
  private readonly folder: string;
  private readonly heartbeat: Heartbeat;
  private readonly timers: readonly NodeJS.Timeout[];
  private child: ChildProcess | null = null;
  private isGreeted = false;
  private isStopping = false;
  private outbox: QuoteMessage[] = [];
  private markListening = () => {};
  private whenListening = new Promise<void>((resolve) => (this.markListening = resolve));

  constructor(private readonly options: Options) {
    // Only this user may open the folder, so other users cannot send requests to the pages directly.
    this.folder = createTemporaryFolder("spotline-pages-");
    this.socketPath = getLocalSocketPath(this.folder, "http");
    const { aliveEveryMs = ALIVE_EVERY_MS } = options;
    this.heartbeat = new Heartbeat({ everyMs: aliveEveryMs, onSilence: () => this.killHung() });
    this.timers = [
      setInterval(() => this.sendQuotes(), BATCH_MS).unref(),
      setInterval(() => void this.sendStatus(), STATUS_MS).unref(),
    ];
    this.start();
  }

  /** Resolves when the pages answer requests. */
  listening(): Promise<void> {
    return this.whenListening;
  }

  /** Whether the process has started and does not hang. */
  get isAnswering(): boolean {
    return this.heartbeat.isReporting;
  }

  /** Sends a price that the book accepted, with the next batch. */
  readonly onQuote = ({ source, instrument, bid, ask, timeMs }: Quote): void => {
    if (this.isGreeted) this.outbox.push([source, instrument.symbol, bid, ask, timeMs]);
  };

  /** Sends the changed list of sources, after every price that came before. */
  readonly onSources = (sources: readonly FeedSource[], dropped: ReadonlySet<string>): void => {
    this.sendQuotes();
    this.sendIfGreeted({ type: "sources", sources, dropped: [...dropped] });
  };

  /** Lets the process finish its requests, then ends it. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    this.heartbeat.stop();
    const { child } = this;
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      send(child, { type: "stop" });
      const giveUp = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended;
      clearTimeout(giveUp);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private start(): void {
    const { entry, log } = this.options;
    const child = fork(entry, [], { env: { ...process.env, SPOTLINE_PAGES_SOCKET: this.socketPath } });
    this.child = child;
    this.isGreeted = false;
    this.heartbeat.restart();
    child.on("message", (message: ToServer) => this.onMessage(child, message));
    child.on("error", (error) => {
      log.error({ err: error }, "pages process unreachable");
      // Without a free file descriptor no process was started, so none ends.
      if (child.pid === undefined) this.restart();
    });
    child.once("exit", (code, signal) => {
      if (this.isStopping) return;
      log.error({ code, signal }, "pages process ended; restarting it");
      this.restart();
    });
  }

  private restart(): void {
    this.heartbeat.restart();
    this.whenListening = new Promise((resolve) => (this.markListening = resolve));
    setTimeout(() => this.isStopping || this.start(), RESTART_AFTER_MS);
  }

  private killHung(): void {
    this.options.log.error("pages process hangs; ending it");
    this.child?.kill("SIGKILL");
  }

  private onMessage(child: ChildProcess, message: ToServer): void {
    this.heartbeat.onReport();
    if (message.type === "listening") {
      this.heartbeat.onStarted();
      this.markListening();
    }
    if (message.type === "started") void this.greet(child);
    if (message.type === "refresh") {
      const { request } = message;
      // If the database cannot be read now, it is read later; the change itself is stored.
      const done = () => send(child, { type: "refreshed", request });
      this.options.directory.refresh().then(done, done);
    }
    if (message.type === "counters") {
      const { request, accountId } = message;
      void this.options.counters(accountId).then((counters) => send(child, { type: "counters", request, counters }));
    }
  }

  /** Saves the history that only this process has, for the pages to read. Then sends the newest prices. */
  private async greet(child: ChildProcess): Promise<void> {
    const { saveHistory, listSources, isInPast, marketNow, log } = this.options;
    await saveHistory().catch((error: unknown) =>
      log.warn({ err: error }, "saving the latest spreads failed; the pages start without them"),
    );
    this.outbox = [];
    this.isGreeted = true;
    const quotes = this.listNewestQuotes();
    send(child, { type: "hello", sources: listSources(), isInPast, quotes, marketNowMs: marketNow() });
  }

  private listNewestQuotes(): QuoteMessage[] {
    const { instruments, book } = this.options;
    return instruments.flatMap(({ symbol }) =>
      book.sources(symbol).map(({ source, bid, ask, timeMs }) => [source, symbol, bid, ask, timeMs] as const),
    );
  }

  private sendQuotes(): void {
    if (this.child === null || !this.isGreeted) return;
    send(this.child, { type: "quotes", quotes: this.outbox, marketNowMs: this.options.marketNow() });
    this.outbox = [];
  }

  private async sendStatus(): Promise<void> {
    this.sendIfGreeted({ type: "status", status: await this.options.serverStatus() });
  }

  /** Sends a message unless the process was not greeted yet; then it reads the same data from the database. */
  private sendIfGreeted(message: ToPages): void {
    if (this.child !== null && this.isGreeted) send(this.child, message);
  }
}

function send(child: ChildProcess, message: ToPages): void {
  // The process may have just ended. Its exit is logged elsewhere.
  if (child.connected) child.send(message, () => {});
}
