/** A value that the server stores, and the number of its last change. */
export interface Saved<Value> {
  readonly revision: number;
  readonly value: Value;
}

/** "failed" has the reason; the change is kept and sent again. */
export type SaveState = { readonly kind: "saved" | "saving" } | { readonly kind: "failed"; readonly reason: string };

export type SaveAnswer<Value> =
  /** What is stored now: that of another browser if `isSaved` is false. */
  | (Saved<Value> & { readonly isSaved: boolean })
  /** `isFinal`: sending the same again cannot succeed. `isSignedOut`: it can after signing in. */
  | { readonly error: string; readonly isFinal: boolean; readonly isSignedOut?: boolean };

interface SaverOptions<Value> {
  /** Changes in quick succession are saved together. */
  readonly delayMs: number;
  send(body: Saved<Value>): Promise<SaveAnswer<Value>>;
  /** Null if it cannot be read now. */
  read(): Promise<Saved<Value> | null>;
  onValue(value: Value): void;
  onState(state: SaveState): void;
  /** Called with the value that the server did not take because the session has ended. */
  onSignedOut(value: Value, revision: number): void;
}

const RETRY_MS = 10_000;

/**
 * Saves changes of a value of the account. If another browser has changed it meanwhile, the changes are made again to its
 * value, so that neither is lost.
 */
export function createSaver<Value>(initial: Saved<Value>, options: SaverOptions<Value>) {
  const { delayMs, send, read, onValue, onState, onSignedOut } = options;
  let saved = initial;
  let changes: ((value: Value) => Value)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<boolean> | null = null;

  const apply = (): Value => changes.reduce((value, change) => change(value), saved.value);

  function schedule(pauseMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), pauseMs);
  }

  async function save(): Promise<boolean> {
    while (changes.length > 0) {
      const sent = changes.length;
      const answer = await send({ revision: saved.revision, value: apply() });
      if ("error" in answer) {
        onState({ kind: "failed", reason: answer.error });
        if (answer.isFinal) changes = changes.slice(sent);
        else schedule(RETRY_MS);
        if (answer.isSignedOut === true) onSignedOut(apply(), saved.revision);
        onValue(apply());
        return false;
      }
      saved = answer;
      if (answer.isSaved) changes = changes.slice(sent);
      onValue(apply());
    }
    onState({ kind: "saved" });
    return true;
  }

  /** Saves what waits. Resolves with whether everything is saved. */
  async function flush(): Promise<boolean> {
    clearTimeout(timer);
    running ??= save().finally(() => (running = null));
    return running;
  }

  return {
    change(next: (value: Value) => Value): void {
      changes.push(next);
      onValue(apply());
      onState({ kind: "saving" });
      schedule(delayMs);
    },
    flush,
    /** Reads the value again, which another browser may have changed. */
    async refresh(): Promise<void> {
      if (changes.length > 0 || running !== null) return;
      const answer = await read();
      if (answer === null || changes.length > 0 || answer.revision === saved.revision) return;
      saved = answer;
      onValue(apply());
    },
  };
}
