import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readDrawingFile, writeDrawingFile } from "@/features/symbols/drawings/drawing-file";
import { DrawingStore, mergeDrawing } from "@/features/symbols/drawings/drawing-store";
import { isKnown } from "@/features/symbols/drawings/kinds";
import {
  createDrawingId,
  type Drawing,
  DRAWING_LIMITS,
  type DrawingChange,
  findDrawingProblem,
  type StoredDrawing,
} from "@/lib/access/drawing";

const line = (fields: Partial<Drawing> = {}): Drawing => ({
  id: randomUUID(),
  kind: "horizontal-line",
  points: [[0, 1.1]],
  ...fields,
});

/** Stores like the server: a change counts at the version that was seen. */
function createServer() {
  let stored: StoredDrawing[] = [];
  let version = 0;
  return {
    read: () => stored,
    save(changes: readonly DrawingChange[]): readonly StoredDrawing[] {
      for (const { id, base, drawing } of changes) {
        const before = stored.find((each) => each.drawing.id === id);
        if ((before?.version ?? null) !== base) continue;
        const rest = stored.filter((each) => each !== before);
        // A database may return the fields in another order.
        const copy = drawing && (Object.fromEntries(Object.entries(drawing).toReversed()) as Drawing);
        stored = copy === null ? rest : [...rest, { version: String(++version), drawing: copy }];
      }
      return stored;
    },
  };
}

type Server = ReturnType<typeof createServer>;

/** Sends and receives until nothing is left, as a browser does. Returns how many copies were made. */
function synchronise(store: DrawingStore, server: Server): number {
  let copies = store.receive(server.read());
  for (let turn = 0; turn < 5; turn++) {
    const changes = store.listChanges();
    if (changes.length === 0) return copies;
    store.markSent(changes);
    copies += store.receive(server.save(changes));
  }
  throw new Error("The devices do not agree");
}

const list = (store: DrawingStore) => store.get().drawings;

test("Ids of drawings are random UUIDs, also over plain HTTP", () => {
  const ids = Array.from({ length: 100 }, createDrawingId);
  expect(ids.every((id) => findDrawingProblem(line({ id })) === null)).toBe(true);
  expect(ids.every((id) => /^.{14}4.{4}[89ab]/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(100);
});

describe("Steps", () => {
  test("are undone and done again in their order, and a new one ends what could be done again", () => {
    const store = new DrawingStore();
    const [one, two] = [line(), line()];
    store.put([one]);
    store.put([two]);
    store.put([{ ...one, colour: "red" }]);
    store.remove([two.id]);
    store.undo();
    store.undo();
    expect(list(store)).toEqual([one, two]);
    store.redo();
    expect(list(store)).toEqual([{ ...one, colour: "red" }, two]);
    store.put([line()]);
    expect(store.get()).toMatchObject({ canUndo: true, canRedo: false });
    store.redo();
    expect(list(store)).toHaveLength(3);
  });

  test("that change nothing are none", () => {
    const store = new DrawingStore();
    const one = line();
    store.put([one]);
    store.put([{ ...one, text: undefined }]);
    store.undo();
    expect(store.get()).toMatchObject({ drawings: [], canUndo: false });
  });

  test("do not undo what another device has changed since", () => {
    const [server, mine, theirs] = [createServer(), new DrawingStore(), new DrawingStore()];
    const one = line();
    mine.put([one]);
    synchronise(mine, server);
    synchronise(theirs, server);
    theirs.put([{ ...one, points: [[0, 9]] }]);
    synchronise(theirs, server);
    synchronise(mine, server);
    mine.undo();
    expect(list(mine)).toEqual([{ ...one, points: [[0, 9]] }]);
  });

  test("never make more drawings than a symbol can have", () => {
    const store = new DrawingStore();
    store.put(Array.from({ length: DRAWING_LIMITS.perSymbol + 5 }, () => line()));
    expect(list(store)).toHaveLength(DRAWING_LIMITS.perSymbol);
    expect(store.hasRoom).toBe(false);
  });
});

describe("Two devices", () => {
  function open() {
    const [server, one, other] = [createServer(), new DrawingStore(), new DrawingStore()];
    const shared = line({ colour: "blue", text: "R1" });
    one.put([shared]);
    synchronise(one, server);
    synchronise(other, server);
    return { server, one, other, shared };
  }

  test("have the drawings of both", () => {
    const { server, one, other, shared } = open();
    const [mine, theirs] = [line(), line()];
    one.put([mine]);
    other.put([theirs]);
    synchronise(one, server);
    synchronise(other, server);
    synchronise(one, server);
    const ids = [shared, mine, theirs].map(({ id }) => id).toSorted();
    expect(
      list(one)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids);
    expect(
      list(other)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids);
  });

  test("that change other fields of one drawing have the changes of both", () => {
    const { server, one, other, shared } = open();
    one.put([{ ...shared, points: [[5, 2]] }]);
    other.put([{ ...shared, colour: "red" }]);
    synchronise(one, server);
    expect(synchronise(other, server)).toBe(0);
    synchronise(one, server);
    expect(list(one)).toEqual([{ ...shared, points: [[5, 2]], colour: "red" }]);
    expect(list(other)).toEqual(list(one));
  });

  test("that move one drawing to different places keep both", () => {
    const { server, one, other, shared } = open();
    one.put([{ ...shared, points: [[5, 2]] }]);
    other.put([{ ...shared, points: [[7, 3]] }]);
    synchronise(one, server);
    expect(synchronise(other, server)).toBe(1);
    synchronise(one, server);
    expect(
      list(one)
        .map(({ points }) => points)
        .toSorted(),
    ).toEqual([[[5, 2]], [[7, 3]]]);
    expect(list(other)).toHaveLength(2);
    expect(new Set(list(other).map(({ id }) => id)).size).toBe(2);
  });

  test("of which one deletes what the other changes keep the change, and lose it if both delete it", () => {
    for (const isDeletedFirst of [true, false]) {
      const { server, one, other, shared } = open();
      one.remove([shared.id]);
      other.put([{ ...shared, colour: "red" }]);
      for (const each of isDeletedFirst ? [one, other, one] : [other, one, other]) synchronise(each, server);
      expect(list(one)).toEqual([{ ...shared, colour: "red" }]);
      expect(list(other)).toEqual(list(one));
      one.remove([shared.id]);
      other.remove([shared.id]);
      for (const each of [one, other, one]) synchronise(each, server);
      expect([list(one), list(other), server.read()]).toEqual([[], [], []]);
    }
  });

  test("lose nothing and copy nothing when an answer does not arrive", () => {
    const { server, one, shared } = open();
    one.put([{ ...shared, points: [[5, 2]] }]);
    const changes = one.listChanges();
    one.markSent(changes);
    server.save(changes);
    one.put([{ ...shared, points: [[6, 2]] }]);
    expect(synchronise(one, server)).toBe(0);
    expect(list(one)).toEqual([{ ...shared, points: [[6, 2]] }]);
    expect(server.read().map(({ drawing }) => drawing)).toEqual(list(one));
  });

  test("save later what a closed page has kept", () => {
    const { server, one, shared } = open();
    one.put([{ ...shared, colour: "green" }]);
    const reopened = new DrawingStore();
    reopened.restore(JSON.parse(JSON.stringify(one.keep())) as ReturnType<DrawingStore["keep"]>);
    expect(synchronise(reopened, server)).toBe(0);
    expect(server.read().map(({ drawing }) => drawing)).toEqual([{ ...shared, colour: "green" }]);
  });
});

describe("A kind of a newer version", () => {
  const later = line({
    kind: "gann-fan",
    rays: [1, { deep: [null, "x"] }],
    points: [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ],
  });

  test("is not shown and not changed, and goes through a file and other devices as it is", () => {
    expect(isKnown(later)).toBe(false);
    const [server, old] = [createServer(), new DrawingStore()];
    server.save([{ id: later.id, base: null, drawing: later }]);
    synchronise(old, server);
    old.put([line()]);
    synchronise(old, server);
    expect(server.read().find(({ drawing }) => drawing.id === later.id)?.drawing).toEqual(later);
    const read = readDrawingFile(writeDrawingFile("EURUSD", list(old)));
    expect(read).toEqual({ symbol: "EURUSD", drawings: list(old), problem: null });
  });

  test("keeps its unknown fields when a known kind is changed", () => {
    const store = new DrawingStore();
    const one = line({ glow: { strength: 3 } });
    store.put([one]);
    store.put([{ ...one, colour: "red" }]);
    expect(list(store)[0]).toMatchObject({ glow: { strength: 3 }, colour: "red" });
  });

  test("may have another number of points than this version knows", () => {
    expect(isKnown(line({ kind: "trend-line" }))).toBe(false);
    expect(isKnown(line({ kind: "constructor" }))).toBe(false);
    expect(isKnown(line())).toBe(true);
  });
});

test.each([
  ["{", "The file is not JSON."],
  ["{}", "The file has no drawings of Spotline."],
  ["null", "The file has no drawings of Spotline."],
  [
    JSON.stringify({ format: "spotline-drawings", version: 2, drawings: [] }),
    "The file has version 2 of the format. This server reads version 1.",
  ],
  [
    JSON.stringify({ format: "spotline-drawings", version: 1, drawings: [line(), { ...line(), points: [] }] }),
    "Drawing 2: A drawing needs at least one point.",
  ],
])("A file that is none is refused with the reason: %s", (text, problem) => {
  expect(readDrawingFile(text)).toEqual({ problem });
});

test("A drawing that only one side has changed is taken from it", () => {
  const base = line();
  const changed = { ...base, colour: "red" };
  expect(mergeDrawing(base, changed, base)).toEqual([changed]);
  expect(mergeDrawing(base, base, changed)).toEqual([changed]);
  expect(mergeDrawing(base, null, base)).toEqual([]);
  expect(mergeDrawing(base, base, null)).toEqual([]);
});
