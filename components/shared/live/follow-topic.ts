import type { ConnectionState, HubMessage, LiveHub, WindowMessage } from "@/components/shared/live/live-hub";

/** The side of a window: what it shows of the live data that the hub has for all windows. */

interface Follower {
  /** What is followed, as `features/live/topics.ts` names it. */
  readonly topic: string;
  /** Whether it is followed while the window is hidden. */
  readonly whileHidden?: boolean;
  /** Called with what the topic's stream sends. `isFirst`: no other window is called so. */
  onMessage(message: object, isFirst: boolean): void;
  onState?(state: ConnectionState): void;
  /** The session has ended, or is another account's. Called again while the page stays. */
  onSignedOut?(): void;
}

/** A window sends what it wants so often, and the hub answers. */
const CALL_MS = 5_000;
/** Without an answer in this time the hub is dead. */
const SILENCE_MS = 12_000;
const FIRST_SILENCE_MS = 6_000;
const CHECK_MS = 1_000;

const links = new Map<string, HubLink>();

/**
 * Follows a topic for a window that is rendered for the account of this id. Returns a function that ends it. Messages
 * stop while the window is hidden, unless the follower says otherwise.
 */
export function followTopic(account: string, follower: Follower): () => void {
  let link = links.get(account);
  if (link === undefined) links.set(account, (link = new HubLink(account)));
  return link.add(follower);
}

class HubLink {
  readonly #account: string;
  readonly #followers = new Set<Follower>();
  #port: MessagePort | undefined;
  /** Whether the hub is of this page alone, because there are no shared workers or this one failed. */
  #isAlone = !("SharedWorker" in globalThis);
  #ownHub: Promise<LiveHub> | undefined;
  #wanted: readonly string[] = [];
  #states: Readonly<Record<string, ConnectionState>> = {};
  #hasAnswered = false;
  #heardAt = 0;
  #calledAt = 0;
  #stopping: AbortController | undefined;

  constructor(account: string) {
    this.#account = account;
  }

  add(follower: Follower): () => void {
    this.#followers.add(follower);
    if (this.#stopping === undefined) this.#start();
    else this.#call(follower.topic);
    const state = this.#states[follower.topic];
    if (state !== undefined) follower.onState?.(state);
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#stop();
      else this.#call();
    };
  }

  #start(): void {
    const stopping = new AbortController();
    const { signal } = stopping;
    this.#stopping = stopping;
    document.addEventListener("visibilitychange", () => this.#onVisibility(), { signal });
    // A page that is kept to come back to must have no connection. It gets a new one when it comes back.
    addEventListener("pagehide", () => this.#disconnect(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.#connect(), { signal });
    const timer = setInterval(() => this.#check(), CHECK_MS);
    signal.addEventListener("abort", () => clearInterval(timer));
    this.#connect();
  }

  #stop(): void {
    this.#stopping?.abort();
    this.#stopping = undefined;
    this.#disconnect();
  }

  #connect(): void {
    this.#disconnect();
    const port = this.#isAlone ? this.#openOwnHub() : this.#openWorker();
    port.onmessage = ({ data }: MessageEvent<HubMessage>) => this.#receive(data);
    this.#port = port;
    this.#hasAnswered = false;
    this.#heardAt = performance.now();
    this.#call();
  }

  #openWorker(): MessagePort {
    // The build names the script by its content: pages of another build have a worker of their own.
    try {
      const worker = new SharedWorker(new URL("./live-worker.ts", import.meta.url), { name: this.#account });
      worker.onerror = () => !this.#isAlone && this.#goAlone();
      return worker.port;
    } catch {
      // A browser may forbid them, for instance to a site that may not store anything.
      this.#isAlone = true;
      return this.#openOwnHub();
    }
  }

  #openOwnHub(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    // Few browsers need its code in the page.
    this.#ownHub ??= import("@/components/shared/live/live-hub").then((each) => new each.LiveHub(this.#account));
    this.#ownHub.then(
      (hub) => hub.connect(port2),
      () => {
        this.#ownHub = undefined;
        this.#setAll("offline");
      },
    );
    return port1;
  }

  #goAlone(): void {
    this.#isAlone = true;
    if (this.#port !== undefined) this.#connect();
  }

  #disconnect(): void {
    if (this.#port === undefined) return;
    this.#post({ topics: [], fresh: [], isVisible: false, isLeaving: true });
    this.#port.onmessage = null;
    this.#port = undefined;
    this.#wanted = [];
    this.#states = {};
  }

  #post(message: WindowMessage): void {
    this.#calledAt = performance.now();
    this.#port?.postMessage(message);
  }

  /**
   * Sends what the window wants; `added` is the topic of a new follower. Without a shared worker a hidden window wants
   * nothing, as each has a stream.
   */
  #call(added?: string): void {
    const isVisible = !document.hidden;
    const wanted = [...this.#followers].filter(({ whileHidden }) => isVisible || (whileHidden && !this.#isAlone));
    const topics = [...new Set(wanted.map(({ topic }) => topic))];
    const fresh = topics.filter((topic) => topic === added || !this.#wanted.includes(topic));
    this.#wanted = topics;
    this.#post({ topics, fresh, isVisible });
  }

  #onVisibility(): void {
    this.#heardAt = performance.now();
    this.#call();
  }

  #receive(message: HubMessage): void {
    this.#hasAnswered = true;
    this.#heardAt = performance.now();
    if (message.kind === "states") return this.#setStates(message.states);
    for (const follower of this.#followers) {
      if (message.kind === "signed-out") follower.onSignedOut?.();
      else if (message.topic === follower.topic) follower.onMessage(message.message, message.isFirst);
    }
  }

  #setStates(states: Readonly<Record<string, ConnectionState>>): void {
    const before = this.#states;
    this.#states = { ...before, ...states };
    for (const { topic, onState } of this.#followers) {
      const state = states[topic];
      if (state !== undefined && state !== before[topic]) onState?.(state);
    }
  }

  /** Notices a hub that crashed or hangs. A hidden window has no timers to notice it with, and shows nothing. */
  #check(): void {
    if (document.hidden || this.#port === undefined) return;
    const now = performance.now();
    if (now - this.#calledAt > CALL_MS) this.#call();
    if (now - this.#heardAt < (this.#hasAnswered ? SILENCE_MS : FIRST_SILENCE_MS)) return;
    if (this.#ownHub === undefined) this.#setAll("reconnecting");
    if (this.#hasAnswered) this.#connect();
    else this.#goAlone();
  }

  #setAll(state: ConnectionState): void {
    this.#setStates(Object.fromEntries([...this.#followers].map(({ topic }) => [topic, state])));
  }
}
