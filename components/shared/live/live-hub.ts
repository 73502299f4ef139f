import { MINUTE_MS } from "@/lib/time/units";

/**
 * One connection to the server for all windows of a browser. Browsers open at most six connections to a host over
 * HTTP/1.1, so a stream in each window would leave none for pages and forms. The hub runs in a shared worker, or in the
 * page where there is none. It holds one stream of all topics that its windows want, and polls what the stream does not
 * bring.
 */

/**
 * The state of one topic. "live": the stream brings it. "polling": it is fetched every two seconds while the stream is retried.
 * "offline": neither works.
 */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "polling" | "offline";

/** What a window sends, when it changes and every few seconds. */
export interface WindowMessage {
  /** The topics that the window shows now. */
  readonly topics: readonly string[];
  /** The topics of which it needs all that is known, and not only what changes. */
  readonly fresh: readonly string[];
  readonly isVisible: boolean;
  /** The window closes or is left. */
  readonly isLeaving?: boolean;
  /** Whether the window receives the messages of others. */
  readonly joins?: boolean;
  /** The messages that the joined windows receive. */
  readonly said?: object;
}

/** What a window receives. */
export type HubMessage =
  | { readonly kind: "states"; readonly states: Readonly<Record<string, ConnectionState>> }
  /** `isFirst`: only one window receives the message so. */
  | { readonly kind: "message"; readonly topic: string; readonly message: object; readonly isFirst: boolean }
  /** The session has ended, or is another account's. */
  | { readonly kind: "signed-out" };

/** What a window that has joined the others receives of them. */
export interface SaidMessage {
  readonly kind: "said";
  readonly said: object;
}

/** The part of a MessagePort that the hub uses. */
type Port = Pick<MessagePort, "onmessage" | "postMessage" | "close">;

interface Client {
  topics: ReadonlySet<string>;
  isVisible: boolean;
  joins: boolean;
  heardAt: number;
}

interface Stream {
  readonly source: EventSource;
  /** The topics that were requested. */
  readonly topics: ReadonlySet<string>;
  readonly openedAt: number;
  isReady: boolean;
}

/** How an event of the stream changes what is known of its topic. */
type EventKind =
  /** It replaces all. */
  | "whole"
  /** Each list in it has rows that replace those with the same first value. */
  | "part"
  /** The lists in it are added to those before. */
  | "news";

const POLL_MS = 2_000;
const POLL_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** A stream of which nothing arrives in this time is held back by a proxy, and a window waits no longer for a topic. */
const FIRST_EVENT_MS = 5_000;
/** The server sends each topic at least every five seconds. After more than two missed messages it counts as lost. */
const SILENCE_MS = 12_000;
/** A topic that nobody wants stays in the stream for this time, as its window may be loading its next page. */
const LINGER_MS = 5_000;
/** A visible window sends every five seconds. One that crashed says nothing, and a busy one less often. */
const CLIENT_SILENCE_MS = MINUTE_MS;
const CHECK_MS = 1_000;
/** The most topics of one stream, as the server has it. The others are polled. */
const MOST_TOPICS = 16;

export class LiveHub {
  readonly #account: string;
  readonly #clients = new Map<Port, Client>();
  /** The newest of each topic, for windows that come later. */
  readonly #kept = new Map<string, { readonly message: object; readonly at: number }>();
  /** When each topic of the stream last arrived. Topics that are not in it are not live. */
  readonly #receivedAt = new Map<string, number>();
  readonly #wantedSince = new Map<string, number>();
  readonly #polled = new Map<string, "polling" | "offline">();
  #stream: Stream | undefined;
  /** Replaces the stream once it is ready. */
  #next: Stream | undefined;
  #retries = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #checkTimer: ReturnType<typeof setInterval> | undefined;
  #isPolling = false;
  #isSignedOut = false;
  #unwantedSince: number | null = null;
  #sentStates = "";

  /** `account` is the id of the account that the windows are rendered for. */
  constructor(account: string) {
    this.#account = account;
    addEventListener("online", () => this.#retryNow());
    addEventListener("offline", () => this.#goOffline());
  }

  /** Adds a window. */
  connect(port: Port): void {
    let isNew = true;
    port.onmessage = ({ data }: MessageEvent<WindowMessage>) => {
      this.#hear(port, data);
      // A window may come after the same account has signed in again.
      if (isNew) this.#retryNow();
      isNew = false;
    };
  }

  #hear(port: Port, { topics, fresh, isVisible, isLeaving, joins = false, said }: WindowMessage): void {
    if (said !== undefined) {
      for (const [other, { joins }] of this.#clients) if (joins && other !== port) post(other, { kind: "said", said });
      return;
    }
    if (isLeaving) {
      this.#clients.delete(port);
      port.close();
      return this.#follow();
    }
    const isKnown = this.#clients.has(port);
    const client = { topics: new Set(topics), isVisible, joins, heardAt: performance.now() };
    this.#clients.set(port, client);
    this.#follow();
    // Also the answer that shows a window that the hub is there.
    post(port, { kind: "states", states: this.#readStates(client) });
    // A window that was given up has missed changes.
    for (const topic of isKnown ? fresh : topics) this.#sendKept(port, topic);
  }

  #sendKept(port: Port, topic: string): void {
    const kept = this.#kept.get(topic);
    if (kept === undefined || !this.#receivedAt.has(topic)) return;
    post(port, { kind: "message", topic, message: advance(kept), isFirst: false });
  }

  #listWanted(): ReadonlySet<string> {
    const wanted = new Set([...this.#clients.values()].flatMap(({ topics }) => [...topics]).sort());
    const now = performance.now();
    for (const topic of wanted) if (!this.#wantedSince.has(topic)) this.#wantedSince.set(topic, now);
    for (const topic of this.#wantedSince.keys()) if (!wanted.has(topic)) this.#wantedSince.delete(topic);
    return wanted;
  }

  /** Opens a stream if the windows want what there is none for. */
  #follow(): void {
    const wanted = [...this.#listWanted()];
    if (wanted.length > 0) this.#checkTimer ??= setInterval(() => this.#check(), CHECK_MS);
    const topics = wanted.slice(0, MOST_TOPICS);
    const { topics: streamed } = this.#next ?? this.#stream ?? { topics: NONE };
    if (topics.some((topic) => !streamed.has(topic)) && this.#retryTimer === undefined) this.#open(topics);
  }

  #open(topics: readonly string[]): void {
    this.#next?.source.close();
    const source = new EventSource(toUrl("/live/stream", this.#account, topics));
    const stream: Stream = { source, topics: new Set(topics), openedAt: performance.now(), isReady: false };
    this.#next = stream;
    for (const kind of ["whole", "part", "news"] as const) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        this.#setReady(stream);
        const { topic, message } = JSON.parse(data) as { topic: string; message: object };
        this.#receive(topic, kind, message);
      });
    }
    source.addEventListener("ended", () => this.#signOut());
    // The browser's own reconnection has no back-off and gives up on an error status.
    source.addEventListener("error", () => this.#lose(stream));
  }

  /** The first event of a stream: it replaces the one before it, without a moment in which a topic is in none. */
  #setReady(stream: Stream): void {
    if (stream.isReady) return;
    stream.isReady = true;
    this.#stream?.source.close();
    this.#stream = stream;
    this.#next = undefined;
    this.#retries = 0;
    this.#unwantedSince = null;
    for (const topic of this.#receivedAt.keys()) if (!stream.topics.has(topic)) this.#drop(topic);
  }

  #drop(topic: string): void {
    this.#receivedAt.delete(topic);
    this.#kept.delete(topic);
  }

  #receive(topic: string, kind: EventKind, message: object): void {
    const at = performance.now();
    this.#receivedAt.set(topic, at);
    this.#polled.delete(topic);
    const before = kind === "whole" ? undefined : this.#kept.get(topic)?.message;
    const kept = before === undefined ? message : mergeLists(before, message, kind === "part" ? mergeRows : addNews);
    this.#kept.set(topic, { message: kept, at });
    this.#send(topic, message);
    this.#sendStates();
  }

  #send(topic: string, message: object): void {
    const clients = [...this.#clients].filter(([, { topics }]) => topics.has(topic));
    const [first] = clients.toSorted(([, a], [, b]) => +b.isVisible - +a.isVisible || b.heardAt - a.heardAt);
    for (const [port] of clients) post(port, { kind: "message", topic, message, isFirst: port === first?.[0] });
  }

  #lose(stream: Stream): void {
    stream.source.close();
    if (this.#next === stream) this.#next = undefined;
    else if (this.#stream === stream) {
      this.#stream = undefined;
      for (const topic of this.#receivedAt.keys()) this.#drop(topic);
    } else return;
    this.#retryLater();
    void this.#poll();
    this.#sendStates();
  }

  #retryLater(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#retryNow(), getRetryPause(this.#retries++));
  }

  #retryNow(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#isSignedOut = false;
    this.#follow();
    this.#sendStates();
  }

  #goOffline(): void {
    for (const topic of this.#listWanted()) this.#polled.set(topic, "offline");
    for (const stream of [this.#next, this.#stream]) if (stream !== undefined) this.#lose(stream);
  }

  #closeStreams(): void {
    this.#next?.source.close();
    this.#stream?.source.close();
    this.#next = undefined;
    this.#stream = undefined;
    for (const topic of this.#receivedAt.keys()) this.#drop(topic);
  }

  #signOut(): void {
    this.#closeStreams();
    this.#polled.clear();
    this.#isSignedOut = true;
    this.#retryLater();
    this.#sendStates();
    for (const port of this.#clients.keys()) post(port, { kind: "signed-out" });
  }

  /** Notices what ends without an event. */
  #check(): void {
    const now = performance.now();
    for (const [port, { isVisible, heardAt }] of this.#clients) {
      if (isVisible && now - heardAt > CLIENT_SILENCE_MS) this.#clients.delete(port);
    }
    const wanted = this.#listWanted();
    if (this.#next !== undefined && now - this.#next.openedAt > FIRST_EVENT_MS) this.#lose(this.#next);
    const isSilent = [...this.#receivedAt.values()].some((at) => now - at > SILENCE_MS);
    if (this.#stream !== undefined && isSilent) this.#lose(this.#stream);
    this.#endUnwanted(wanted, now);
    void this.#poll();
    this.#sendStates();
    if (wanted.size > 0 || (this.#next ?? this.#stream) !== undefined) return;
    clearInterval(this.#checkTimer);
    this.#checkTimer = undefined;
  }

  #endUnwanted(wanted: ReadonlySet<string>, now: number): void {
    if (this.#stream === undefined || [...this.#stream.topics].every((topic) => wanted.has(topic))) {
      this.#unwantedSince = null;
      return;
    }
    this.#unwantedSince ??= now;
    if (now - this.#unwantedSince < LINGER_MS) return;
    if (wanted.size === 0) this.#closeStreams();
    else if (this.#next === undefined && this.#retryTimer === undefined) this.#open([...wanted].slice(0, MOST_TOPICS));
  }

  /** The topics that the stream does not bring, unless it was opened just now. */
  #listPolled(): readonly string[] {
    const now = performance.now();
    return [...this.#listWanted()].filter(
      (topic) =>
        !this.#receivedAt.has(topic) &&
        (this.#retries > 0 || now - (this.#wantedSince.get(topic) ?? now) > FIRST_EVENT_MS),
    );
  }

  async #poll(): Promise<void> {
    const topics = this.#listPolled().slice(0, MOST_TOPICS);
    if (this.#isPolling || this.#pollTimer !== undefined || this.#isSignedOut || topics.length === 0) return;
    this.#isPolling = true;
    try {
      const answer = await fetch(toUrl("/live/now", this.#account, topics), {
        cache: "no-store",
        signal: AbortSignal.timeout(POLL_TIMEOUT_MS),
      });
      if (answer.status === 401) return this.#signOut();
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      const { results } = (await answer.json()) as { results: readonly { topic: string; message: object | null }[] };
      for (const { topic, message } of results) this.#takePolled(topic, message);
    } catch {
      for (const topic of topics) this.#takePolled(topic, null);
    } finally {
      this.#isPolling = false;
      this.#sendStates();
    }
    this.#pollTimer = setTimeout(() => {
      this.#pollTimer = undefined;
      void this.#poll();
    }, POLL_MS);
  }

  #takePolled(topic: string, message: object | null): void {
    // The stream was faster.
    if (this.#receivedAt.has(topic)) return;
    this.#polled.set(topic, message === null ? "offline" : "polling");
    if (message !== null) this.#send(topic, message);
  }

  #readStates({ topics }: Client): Record<string, ConnectionState> {
    return Object.fromEntries([...topics].map((topic) => [topic, this.#readState(topic)]));
  }

  #readState(topic: string): ConnectionState {
    if (this.#receivedAt.has(topic)) return "live";
    return this.#polled.get(topic) ?? (this.#retries > 0 ? "reconnecting" : "connecting");
  }

  #sendStates(): void {
    const topics = this.#listWanted();
    for (const topic of this.#polled.keys()) if (!topics.has(topic)) this.#polled.delete(topic);
    const all = JSON.stringify([...topics].map((topic) => [topic, this.#readState(topic)]));
    if (all === this.#sentStates) return;
    this.#sentStates = all;
    for (const [port, client] of this.#clients) post(port, { kind: "states", states: this.#readStates(client) });
  }
}

const NONE: ReadonlySet<string> = new Set();

function post(port: Port, message: HubMessage | SaidMessage): void {
  port.postMessage(message);
}

function toUrl(path: string, account: string, topics: readonly string[]): string {
  return `${path}?${new URLSearchParams([["account", account], ...topics.map((topic) => ["topic", topic])])}`;
}

/** A longer pause after each failure, and a random one, so that browsers do not all reconnect to a server at once. */
function getRetryPause(retries: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** retries) * (0.75 + Math.random() / 2);
}

/** The message with the server's time now, from which a window computes ages. */
function advance({ message, at }: { readonly message: object; readonly at: number }): object {
  if (!("nowMs" in message) || typeof message.nowMs !== "number") return message;
  return { ...message, nowMs: Math.floor(message.nowMs + performance.now() - at) };
}

type Row = readonly unknown[];

type Merge = (before: readonly unknown[], added: readonly unknown[]) => readonly unknown[];

/** Merges the lists of a message into those before it. Other fields are replaced. */
export function mergeLists(whole: object, part: object, merge: Merge): object {
  const merged: Record<string, unknown> = { ...whole };
  for (const [name, value] of Object.entries(part) as [string, unknown][]) {
    const before = merged[name];
    merged[name] = Array.isArray(value) && Array.isArray(before) ? merge(before, value) : value;
  }
  return merged;
}

/** Puts rows in the place of those with the same first value. */
export function mergeRows(before: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  if (added.length === 0) return before;
  const merged = new Map((before as readonly Row[]).map((row) => [row[0], row]));
  for (const row of added as readonly Row[]) merged.set(row[0], row);
  return [...merged.values()];
}

const MOST_NEWS = 500;

function addNews(before: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  return added.length === 0 ? before : [...added, ...before].slice(0, MOST_NEWS);
}
