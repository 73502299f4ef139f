import {
  createDrawingId,
  type Drawing,
  DRAWING_LIMITS,
  type DrawingChange,
  type StoredDrawing,
} from "@/lib/access/drawing";

/** The drawings of one symbol in a browser: their changes, which can be undone, and what another device changed meanwhile. */

interface Edit {
  readonly id: string;
  /** Null before it was drawn. */
  readonly before: Drawing | null;
  /** Null once it is deleted. */
  readonly after: Drawing | null;
}

export interface DrawingState {
  /** From the lowest to the topmost one. */
  readonly drawings: readonly Drawing[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** What a browser remembers between two visits: the drawings, and those that the server had when they were last the same. */
export interface KeptDrawings {
  readonly drawings: readonly Drawing[];
  readonly base: readonly StoredDrawing[];
}

/** Steps that can be undone. */
const MOST_STEPS = 100;

export class DrawingStore {
  #drawings: readonly Drawing[] = [];
  #base = new Map<string, StoredDrawing>();
  /** What was sent and not answered yet, which the server may have stored. */
  #sent = new Map<string, Drawing | null>();
  #undo: (readonly Edit[])[] = [];
  #redo: (readonly Edit[])[] = [];
  #state: DrawingState = { drawings: [], canUndo: false, canRedo: false };
  readonly #listeners = new Set<() => void>();

  get = (): DrawingState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  find(id: string | null): Drawing | undefined {
    return this.#drawings.find((each) => each.id === id);
  }

  get hasRoom(): boolean {
    return this.#drawings.length < DRAWING_LIMITS.perSymbol;
  }

  /** Draws what is new and replaces what is known by its id, as one step. Leaves out what there is no room for. */
  put(drawings: readonly Drawing[]): void {
    const known = new Set(this.#drawings.map(({ id }) => id));
    let room = DRAWING_LIMITS.perSymbol - known.size;
    const kept = drawings.filter(({ id }) => known.has(id) || room-- > 0);
    this.#run(kept.map((each) => ({ id: each.id, before: this.find(each.id) ?? null, after: dropUndefined(each) })));
  }

  remove(ids: readonly string[]): void {
    this.#run(ids.flatMap((id) => ({ id, before: this.find(id) ?? null, after: null })));
  }

  undo(): void {
    const edits = this.#undo.pop();
    if (edits === undefined) return;
    this.#redo.push(edits);
    this.#set(edits.map(({ id, before, after }) => ({ id, before: after, after: before })));
  }

  redo(): void {
    const edits = this.#redo.pop();
    if (edits === undefined) return;
    this.#undo.push(edits);
    this.#set(edits);
  }

  #run(edits: readonly Edit[]): void {
    const changed = edits.filter(({ before, after }) => !isSame(before, after));
    if (changed.length === 0) return;
    this.#undo = [...this.#undo, changed].slice(-MOST_STEPS);
    this.#redo = [];
    this.#set(changed);
  }

  /** Makes edits, but for those of drawings that another device has changed since. */
  #set(edits: readonly Edit[]): void {
    let drawings = [...this.#drawings];
    for (const { id, before, after } of edits) {
      const at = drawings.findIndex((each) => each.id === id);
      if (!isSame(drawings[at] ?? null, before)) continue;
      if (after === null) drawings = drawings.toSpliced(at, 1);
      else if (at === -1) drawings.push(after);
      else drawings[at] = after;
    }
    this.#publish(drawings);
  }

  #publish(drawings: readonly Drawing[]): void {
    this.#drawings = drawings;
    this.#state = { drawings, canUndo: this.#undo.length > 0, canRedo: this.#redo.length > 0 };
    for (const listener of this.#listeners) listener();
  }

  /** Takes what this browser kept of an earlier visit. */
  restore({ drawings, base }: KeptDrawings): void {
    this.#base = new Map(base.map((stored) => [stored.drawing.id, stored]));
    this.#publish(drawings);
  }

  keep(): KeptDrawings {
    return { drawings: this.#drawings, base: [...this.#base.values()] };
  }

  /** The changes since the drawings were last the same as on the server. */
  listChanges(): DrawingChange[] {
    const changed = this.#drawings.flatMap((drawing): DrawingChange[] => {
      const base = this.#base.get(drawing.id);
      return base !== undefined && isSame(base.drawing, drawing)
        ? []
        : [{ id: drawing.id, base: base?.version ?? null, drawing }];
    });
    const present = new Set(this.#drawings.map(({ id }) => id));
    const gone = [...this.#base].flatMap(([id, { version }]): DrawingChange[] =>
      present.has(id) ? [] : [{ id, base: version, drawing: null }],
    );
    return [...gone, ...changed];
  }

  /** Remembers changes that are being sent, so that an answer that never arrives is no change of another device. */
  markSent(changes: readonly DrawingChange[]): void {
    for (const { id, drawing } of changes) this.#sent.set(id, drawing);
  }

  /**
   * Takes all drawings that the server has. What only one side has changed is taken from it. Where both have changed a
   * drawing, the fields that only one has changed are taken from it; if both have changed a field, both drawings are
   * kept, that of this browser as a copy. One that is deleted here and changed there is kept, and the other way round.
   * Returns how many copies were made.
   */
  receive(stored: readonly StoredDrawing[]): number {
    const theirs = new Map(stored.map((each) => [each.drawing.id, each]));
    const ours = new Map(this.#drawings.map((each) => [each.id, each]));
    const merged: Drawing[] = [];
    let copies = 0;
    const take = (id: string): void => {
      const there = theirs.get(id)?.drawing ?? null;
      const sent = this.#sent.get(id);
      const base = sent !== undefined && isSame(sent, there) ? sent : (this.#base.get(id)?.drawing ?? null);
      const outcome = mergeDrawing(base, ours.get(id) ?? null, there);
      copies += Math.max(0, outcome.length - 1);
      merged.push(...outcome);
    };
    for (const { id } of this.#drawings) take(id);
    for (const id of theirs.keys()) if (!ours.has(id)) take(id);
    this.#sent.clear();
    this.#base = theirs;
    if (!isSame(merged, this.#drawings)) this.#publish(merged);
    return copies;
  }
}

/** Merges two changes of one drawing. Returns it, none if it stays deleted, and after it a copy of ours if both collide. */
export function mergeDrawing(base: Drawing | null, ours: Drawing | null, theirs: Drawing | null): Drawing[] {
  if (isSame(ours, theirs) || isSame(ours, base)) return theirs === null ? [] : [theirs];
  if (isSame(theirs, base) || theirs === null) return ours === null ? [] : [ours];
  if (ours === null) return [theirs];
  const merged: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const [before, here, there] = [base?.[field], ours[field], theirs[field]];
    if (!isSame(here, before) && !isSame(there, before) && !isSame(here, there)) {
      return [theirs, { ...ours, id: createDrawingId() }];
    }
    const value = isSame(here, before) ? there : here;
    if (value !== undefined) merged[field] = value;
  }
  return [merged as Drawing];
}

/** Leaves out the fields that JSON cannot have. */
function dropUndefined(drawing: Drawing): Drawing {
  return Object.fromEntries(Object.entries(drawing).filter(([, value]) => value !== undefined)) as Drawing;
}

/** Whether two JSON values are the same, whatever the order of their fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
