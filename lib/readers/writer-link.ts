import type { Health } from "@/lib/api/service/health-check";
import { DatabaseUnavailable } from "@/lib/platform/database/database-errors";
import type { Clock } from "@/lib/platform/timing/clock";
import { machineClock } from "@/lib/platform/timing/steady-clock";
import { ChangeFollower } from "@/lib/readers/change-follower";
import {
  ALIVE_EVERY_MS,
  type Answers,
  type Request,
  type ServerStatus,
  type ToReader,
  type ToWriter,
} from "@/lib/readers/messages";

/** The link of a reader to the writer that started it: the channel between the two processes. */
export interface WriterLink {
  /** The prices and the history of the writer. */
  readonly follower: ChangeFollower;
  /** Rejects if the writer cannot answer; the answer may take as long as the writer is stopped. */
  request<Type extends Request["type"]>(body: Request & { readonly type: Type }): Promise<Answers[Type]>;
  send(message: ToWriter): void;
  /** The health of the writer, and for how many milliseconds it has been known; null before its first message. */
  health(): { readonly health: Health; readonly ageMs: number } | null;
  /** The state of the server a few seconds ago; null before its first message. */
  status(): ServerStatus | null;
  /** Resolves while the pages answer at their socket. */
  pagesListening(): Promise<void>;
  /** Called when accounts or keys were changed elsewhere. */
  onKeysChanged(load: () => Promise<void>): void;
  /** Called when calls that were granted for these keys must be returned. */
  onRecall(recall: (keyIds: readonly string[]) => void): void;
  /** Reports that this process is ready; resolves when it may listen at the port. */
  ready(): Promise<void>;
  onStop(stop: (message: ToReader & { type: "stop" }) => void): void;
}

/** Memory of this process. Reading it opens a file, which fails without a free file descriptor: then 0. */
function readResidentMemory(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}

/** Connects to the writer that started this process. */
export function linkToWriter(monotonic: Clock): WriterLink {
  const follower = new ChangeFollower({ monotonic, requestSnapshot: () => send({ type: "send-snapshot" }) });
  const requests = createRequests();
  const pages = createGate();
  let health: { readonly health: Health; readonly receivedAtMs: number } | null = null;
  let status: ServerStatus | null = null;
  let loadKeys: () => Promise<void> = async () => {};
  let recall: (keyIds: readonly string[]) => void = () => {};
  let listen = () => {};
  const mayListen = new Promise<void>((resolve) => (listen = resolve));
  let stop: (message: ToReader & { type: "stop" }) => void = () => process.exit(0);

  function onMessage(message: ToReader): void {
    switch (message.type) {
      case "snapshot":
      case "changes":
        return follower.onMessage(message, Math.max(0, machineClock() - message.sentAtMs));
      case "health":
        return void (health = { health: message.health, receivedAtMs: monotonic() });
      case "status":
        return void (status = message.status);
      case "pages":
        return message.areListening ? pages.open() : pages.close();
      case "load-keys": {
        const done = () => send({ type: "done", request: message.request });
        // If the database cannot be read now, it is read later; the change itself is stored.
        return void loadKeys().then(done, done);
      }
      case "recall":
        recall(message.keyIds);
        return send({ type: "done", request: message.request });
      case "answer":
      case "failure":
        return requests.onAnswer(message);
      case "listen":
        return listen();
      case "stop":
        return stop(message);
    }
  }

  process.on("message", onMessage);
  // Without its writer a reader has no prices, and would hold the port that the next writer needs.
  process.on("disconnect", () => process.exit(1));
  setInterval(() => send({ type: "alive", residentBytes: readResidentMemory() }), ALIVE_EVERY_MS).unref();
  return {
    follower,
    request: requests.send,
    send,
    health: () => health && { health: health.health, ageMs: monotonic() - health.receivedAtMs },
    status: () => status,
    pagesListening: pages.opened,
    onKeysChanged: (load) => void (loadKeys = load),
    onRecall: (then) => void (recall = then),
    ready() {
      send({ type: "ready" });
      return mayListen;
    },
    onStop: (then) => void (stop = then),
  };
}

type Answer = Extract<ToReader, { type: "answer" | "failure" }>;

/** Matches requests to the writer with their answers by a number. */
function createRequests() {
  const pending = new Map<number, (answer: Answer) => void>();
  let latest = 0;
  return {
    send: <Type extends Request["type"]>(body: Request & { readonly type: Type }): Promise<Answers[Type]> =>
      new Promise((resolve, reject) => {
        pending.set(++latest, (answer) => {
          if (answer.type === "answer") resolve(answer.answer as Answers[Type]);
          else
            reject(
              answer.isUnavailable ? new DatabaseUnavailable("of the server", answer.reason) : new Error(answer.reason),
            );
        });
        send({ type: "request", request: latest, body });
      }),
    onAnswer(answer: Answer): void {
      pending.get(answer.request)?.(answer);
      pending.delete(answer.request);
    },
  };
}

/** A promise that can be renewed. */
function createGate() {
  let isOpen = false;
  let open = () => {};
  let opened = new Promise<void>((resolve) => (open = resolve));
  return {
    opened: () => opened,
    open(): void {
      isOpen = true;
      open();
    },
    close(): void {
      if (isOpen) opened = new Promise<void>((resolve) => (open = resolve));
      isOpen = false;
    },
  };
}

function send(message: ToWriter): void {
  // The writer may have just ended; then this process ends as well.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
