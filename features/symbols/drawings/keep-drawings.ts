import type { DrawingStore, KeptDrawings } from "@/features/symbols/drawings/drawing-store";
import { type DrawingChange, findDrawingProblem, type StoredDrawing } from "@/lib/access/drawing";

/**
 * Keeps the drawings of a symbol: in this browser for a visitor without an account, otherwise with the account. What
 * could not be saved yet stays in this browser, also when the page is closed or the session has ended.
 */

/** "failed" has the reason; the drawings are kept in this browser and sent again. */
export type KeepState = { readonly kind: "kept" | "saving" } | { readonly kind: "failed"; readonly reason: string };

interface KeepOptions {
  readonly symbol: string;
  /** The id of the account; null for a visitor without one. */
  readonly account: string | null;
  onState(state: KeepState): void;
  /** Called with how many drawings were kept twice, because another device has changed them too. */
  onCopies(count: number): void;
}

/** Changes in quick succession are saved together. */
const DELAY_MS = 1_000;
const RETRY_MS = 10_000;
const MOST_TRIES = 5;

interface Keeper {
  /** Reads again what another device may have changed. */
  refresh(): Promise<void>;
  /** Saves what waits, and ends. */
  stop(): void;
}

export function keepDrawings(store: DrawingStore, options: KeepOptions): Keeper {
  const name = `spotline-drawings ${options.account ?? "visitor"} ${options.symbol}`;
  const kept = readKept(name);
  if (kept !== null) store.restore(kept);
  return options.account === null ? keepHere(store, name, options) : keepWithAccount(store, name, options);
}

function keepHere(store: DrawingStore, name: string, { onState }: KeepOptions): Keeper {
  let isReading = false;
  const write = (): void => {
    if (isReading) return;
    const { drawings } = store.keep();
    const isKept = writeKept(name, drawings.length === 0 ? null : { drawings, base: [] });
    onState(isKept ? { kind: "kept" } : { kind: "failed", reason: "This browser has no room for the drawings." });
  };
  const unsubscribe = store.subscribe(write);
  // Another window of this browser has changed them.
  const onStorage = ({ key }: StorageEvent): void => {
    if (key !== name) return;
    isReading = true;
    store.restore(readKept(name) ?? { drawings: [], base: [] });
    isReading = false;
  };
  addEventListener("storage", onStorage);
  return {
    refresh: () => Promise.resolve(),
    stop() {
      unsubscribe();
      removeEventListener("storage", onStorage);
    },
  };
}

function keepWithAccount(store: DrawingStore, name: string, options: KeepOptions): Keeper {
  const { symbol, onState, onCopies } = options;
  const path = `/symbols/${encodeURIComponent(symbol)}/drawings`;
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let isLoaded = false;

  function take(stored: readonly StoredDrawing[]): void {
    isLoaded = true;
    const copies = store.receive(stored);
    if (copies > 0) onCopies(copies);
  }

  function fail(reason: string, isFinal = false): void {
    onState({ kind: "failed", reason });
    if (!isFinal && !isStopped) schedule(RETRY_MS);
  }

  async function load(): Promise<boolean> {
    const answer = await exchange(path);
    if ("error" in answer) fail(answer.error);
    else take(answer.drawings);
    return !("error" in answer);
  }

  async function save(): Promise<void> {
    if (!isLoaded && !(await load())) return;
    let tries = 0;
    for (let changes = store.listChanges(); changes.length > 0; changes = store.listChanges()) {
      // Two devices that change the same drawings all the time, or a server that keeps none.
      if (++tries > MOST_TRIES) return fail("The drawings could not be saved yet.");
      onState({ kind: "saving" });
      store.markSent(changes);
      const answer = await exchange(path, changes);
      if ("error" in answer) return fail(answer.error, answer.isFinal);
      take(answer.drawings);
      channel?.postMessage("changed");
    }
    writeKept(name, null);
    onState({ kind: "kept" });
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    running ??= save().finally(() => (running = null));
    return running;
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), delayMs);
  }

  async function refresh(): Promise<void> {
    if (running === null && store.listChanges().length === 0) await load();
    else await flush();
  }

  const unsubscribe = store.subscribe(() => {
    if (store.listChanges().length === 0) return;
    writeKept(name, store.keep());
    schedule(DELAY_MS);
  });
  const onVisibility = (): void => void (document.hidden ? flush() : refresh());
  document.addEventListener("visibilitychange", onVisibility);
  if (channel !== null) channel.onmessage = () => void refresh();
  void flush();
  return {
    refresh,
    stop() {
      unsubscribe();
      document.removeEventListener("visibilitychange", onVisibility);
      isStopped = true;
      void flush().finally(() => channel?.close());
    },
  };
}

type Answer =
  | { readonly drawings: readonly StoredDrawing[] }
  /** `isFinal`: sending the same again cannot succeed. */
  | { readonly error: string; readonly isFinal: boolean };

/** Reads the drawings, or sends changes of them. Answers with all that are stored. */
async function exchange(path: string, changes?: readonly DrawingChange[]): Promise<Answer> {
  const body = changes && JSON.stringify({ changes });
  try {
    const answer = await fetch(path, {
      cache: "no-store",
      ...(body !== undefined && {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body,
        // Also sent while the page is being left. Browsers limit the size of that.
        keepalive: body.length < 61_440,
      }),
    });
    const content = (await answer.json()) as { drawings?: StoredDrawing[]; error?: string };
    if (answer.ok && content.drawings !== undefined) return { drawings: content.drawings };
    if (answer.status === 401) {
      return { error: "You are signed out. The drawings are saved once you have signed in again.", isFinal: false };
    }
    const isFinal = answer.status === 400 || answer.status === 409 || answer.status === 413;
    return { error: content.error ?? "The drawings could not be saved.", isFinal };
  } catch {
    return { error: "The server cannot be reached. The drawings are saved once it answers.", isFinal: false };
  }
}

function readKept(name: string): KeptDrawings | null {
  try {
    const { drawings, base } = JSON.parse(localStorage.getItem(name) ?? "null") as KeptDrawings;
    return {
      drawings: drawings.filter((each) => findDrawingProblem(each) === null),
      base: base.filter(({ drawing }) => findDrawingProblem(drawing) === null),
    };
  } catch {
    // Storage may be switched off, or have other data.
    return null;
  }
}

function writeKept(name: string, kept: KeptDrawings | null): boolean {
  try {
    if (kept === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}
