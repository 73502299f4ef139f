import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Counters } from "@/lib/access/admission/counters";
import type { Directory } from "@/lib/access/admission/directory";
import type { Book } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import type { Quote } from "@/lib/feeds/intake";
import type { HistoryFollower } from "@/lib/history/create-history";
import type { Instrument } from "@/lib/market/instrument";
import type { QuoteMessage, SecondMessage, ToPages, ToServer } from "@/lib/pages/messages";
import type { ServerStatus } from "@/lib/pages/server-status";
import type { Clock } from "@/lib/platform/clock";
import { localSocketPath } from "@/lib/platform/local-socket";
import type { Logger } from "@/lib/platform/log";

/** The server's half: the process that renders the pages, kept running and told every price. */
export interface PagesProcess {
  /** The local socket at which it answers HTTP. */
  readonly socketPath: string;
  /** Resolves when the pages can be asked for; at once while they can be. */
  listening(): Promise<void>;
  /** Passes on a price the book has taken. */
  tell(quote: Quote): void;
  /** Passes on what was recorded. */
  readonly history: HistoryFollower;
  /** Ends it, letting it finish what it is at. */
  stop(): Promise<void>;
}

interface Options {
  /** The module to run. */
  readonly entry: string;
  readonly book: Book;
  readonly sources: readonly FeedSource[];
  readonly instruments: readonly Instrument[];
  readonly marketNow: Clock;
  readonly directory: Pick<Directory, "refresh">;
  readonly serverStatus: () => ServerStatus | null;
  readonly counters: (accountId: string) => Promise<Counters>;
  readonly saveHistory: () => Promise<void>;
  readonly log: Logger;
}

const BATCH_MS = 50;
const STATUS_MS = 2_000;
const RESTART_AFTER_MS = 1_000;
const STOP_WITHIN_MS = 6_000;

export function startPagesProcess({
  entry,
  book,
  sources,
  instruments,
  marketNow,
  directory,
  saveHistory,
  serverStatus,
  counters,
  log,
}: Options): PagesProcess {
  // The folder is the owner's alone, so nobody else can reach the pages past the server, or claim an address there.
  const folder = mkdtempSync(join(tmpdir(), "spotline-pages-"));
  const socketPath = localSocketPath(folder, "http");
  let child: ChildProcess | null = null;
  let greeted = false;
  let stopping = false;
  let outbox: QuoteMessage[] = [];
  let markListening = () => {};
  let listening = new Promise<void>((resolve) => (markListening = resolve));

  function start(): void {
    const started = fork(entry, [], { env: { ...process.env, SPOTLINE_PAGES_SOCKET: socketPath } });
    child = started;
    greeted = false;
    started.on("message", (message: ToServer) => hear(started, message));
    started.on("error", (error) => log.error({ err: error }, "the process of the pages cannot be reached"));
    started.once("exit", (code, signal) => {
      if (stopping) return;
      log.error({ code, signal }, "the process of the pages ended; starting it anew");
      listening = new Promise((resolve) => (markListening = resolve));
      setTimeout(() => stopping || start(), RESTART_AFTER_MS);
    });
  }

  function hear(from: ChildProcess, message: ToServer): void {
    if (message.type === "listening") markListening();
    if (message.type === "started") void greet(from);
    if (message.type === "refresh") {
      const { request } = message;
      // A database that cannot be read now is read later; the change itself has been stored.
      const done = () => send(from, { type: "refreshed", request });
      directory.refresh().then(done, done);
    }
    if (message.type === "counters") {
      const { request, accountId } = message;
      void counters(accountId).then((read) => send(from, { type: "counters", request, counters: read }));
    }
  }

  /** What is in this process only is written down first, for the other one to read. */
  async function greet(from: ChildProcess): Promise<void> {
    await saveHistory().catch((error: unknown) =>
      log.warn({ err: error }, "the pages start without the latest spreads"),
    );
    outbox = [];
    greeted = true;
    send(from, { type: "hello", sources, quotes: snapshot(), marketNowMs: marketNow() });
  }

  function snapshot(): QuoteMessage[] {
    return instruments.flatMap(({ symbol }) =>
      book.sources(symbol).map(({ source, bid, ask, timeMs }) => [source, symbol, bid, ask, timeMs] as const),
    );
  }

  const batching = setInterval(() => {
    if (child === null || !greeted) return;
    send(child, { type: "quotes", quotes: outbox, marketNowMs: marketNow() });
    outbox = [];
  }, BATCH_MS).unref();

  const reporting = setInterval(() => {
    const status = serverStatus();
    if (status !== null) tellNow({ type: "status", status });
  }, STATUS_MS).unref();

  /** A process that was not greeted yet reads the same from the database when it is. */
  function tellNow(message: ToPages): void {
    if (child !== null && greeted) send(child, message);
  }

  start();
  return {
    socketPath,
    listening: () => listening,
    tell({ source, instrument, bid, ask, timeMs }) {
      if (greeted) outbox.push([source, instrument.symbol, bid, ask, timeMs]);
    },
    history: {
      onRecorded(rows, completeUntilMs) {
        const seconds = rows.map(
          (row) =>
            [
              row.symbol,
              row.second,
              row.bid,
              row.ask,
              row.open,
              row.high,
              row.low,
              row.updates,
            ] satisfies SecondMessage,
        );
        tellNow({ type: "recorded", seconds, completeUntilMs });
      },
      onClosed: (hourMs) => tellNow({ type: "closed", hourMs }),
      onRewritten: () => tellNow({ type: "rewritten" }),
    },
    async stop() {
      stopping = true;
      clearInterval(batching);
      clearInterval(reporting);
      const ending = child;
      if (ending !== null && ending.exitCode === null && ending.signalCode === null) {
        const ended = new Promise((resolve) => ending.once("exit", resolve));
        send(ending, { type: "stop" });
        const giveUp = setTimeout(() => ending.kill("SIGKILL"), STOP_WITHIN_MS);
        await ended;
        clearTimeout(giveUp);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function send(child: ChildProcess, message: ToPages): void {
  // The other side may have ended a moment ago, which its exit tells better than a failed message.
  if (child.connected) child.send(message, () => {});
}
