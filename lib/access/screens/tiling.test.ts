import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addTile,
  dockTile,
  doOverlap,
  findNeighbour,
  findRoom,
  GRID,
  growTile,
  isPlace,
  layOut,
  moveEdge,
  removeTile,
  settleTiles,
  SIDES,
  splitTile,
  swapTiles,
  type Tile,
  TILING_LOOKS,
} from "@/lib/access/screens/tiling";

const LEFT: Tile = { id: "left", x: 0, y: 0, w: 12, h: 24 };
const UPPER: Tile = { id: "upper", x: 12, y: 0, w: 12, h: 12 };
const LOWER: Tile = { id: "lower", x: 12, y: 12, w: 12, h: 12 };
const DESK = [LEFT, UPPER, LOWER];

const isValid = (tiles: readonly Tile[]) =>
  tiles.every(isPlace) && !tiles.some((one, at) => tiles.slice(at + 1).some((other) => doOverlap(one, other)));
const getArea = (tiles: readonly Tile[]) => tiles.reduce((sum, { w, h }) => sum + w * h, 0);

describe("Tiles", () => {
  test("give way on the whole line through an edge that is moved", () => {
    expect(moveEdge(DESK, "left", "right", 16)).toEqual([
      { ...LEFT, w: 16 },
      { ...UPPER, x: 16, w: 8 },
      { ...LOWER, x: 16, w: 8 },
    ]);
    expect(moveEdge(DESK, "upper", "down", 6)).toEqual([LEFT, { ...UPPER, h: 6 }, { ...LOWER, y: 6, h: 18 }]);
  });

  test("stop an edge where one of them would be too small, and at the border", () => {
    expect(moveEdge(DESK, "left", "right", 24)[1]).toEqual({ ...UPPER, x: 20, w: 4 });
    expect(moveEdge(DESK, "left", "right", 0)[0]).toEqual({ ...LEFT, w: 4 });
    expect(moveEdge(DESK, "upper", "right", 30)).toEqual(DESK);
  });

  test("grow with either of their edges, so that each can be sized with the keyboard", () => {
    expect(growTile(DESK, "left", "right")[0]).toEqual({ ...LEFT, w: 13 });
    expect(growTile(DESK, "upper", "right")[1]).toEqual({ ...UPPER, x: 11, w: 13 });
    expect(growTile(DESK, "upper", "left")[1]).toEqual({ ...UPPER, x: 13, w: 11 });
    expect(growTile(DESK, "lower", "down")[2]).toEqual({ ...LOWER, y: 11, h: 13 });
  });

  test("change places, and are divided", () => {
    expect(swapTiles(DESK, "left", "lower")).toEqual([{ ...LOWER, id: "left" }, UPPER, { ...LEFT, id: "lower" }]);
    expect(splitTile(DESK, "left", "new", "down")).toEqual([
      { ...LEFT, h: 12 },
      UPPER,
      LOWER,
      { id: "new", x: 0, y: 12, w: 12, h: 12 },
    ]);
    expect(splitTile([{ id: "a", x: 0, y: 0, w: 7, h: 24 }], "a", "new", "right")).toBeNull();
  });

  test("take the room of one that is removed", () => {
    expect(removeTile(DESK, "upper")).toEqual([LEFT, { ...LOWER, y: 0, h: 24 }]);
    expect(removeTile(DESK, "left")).toEqual([
      { ...UPPER, x: 0, w: 24 },
      { ...LOWER, x: 0, w: 24 },
    ]);
  });

  test("move beside another one, and keep their order", () => {
    expect(dockTile(DESK, "lower", "left", "left")).toEqual([
      { ...LEFT, x: 6, w: 6 },
      { ...UPPER, h: 24 },
      { ...LOWER, x: 0, y: 0, w: 6, h: 24 },
    ]);
    expect(dockTile(DESK, "left", "left", "right")).toBeNull();
  });

  test("have a neighbour on each side, that with the longest shared edge", () => {
    expect(findNeighbour(DESK, "upper", "left")?.id).toBe("left");
    expect(findNeighbour(DESK, "upper", "down")?.id).toBe("lower");
    expect(findNeighbour(DESK, "upper", "up")).toBeNull();
  });

  test("use free room before they divide another one", () => {
    expect(findRoom([LEFT, LOWER])).toEqual({ x: 12, y: 0, w: 12, h: 12 });
    expect(addTile([LEFT, LOWER], "new")).toEqual([LEFT, LOWER, { ...UPPER, id: "new" }]);
    expect(addTile(DESK, "new")).toHaveLength(4);
  });

  test.each(TILING_LOOKS)("fill the grid when they are laid out anew as %s", (look) => {
    for (let count = 1; count <= 16; count++) {
      const tiles = layOut(
        Array.from({ length: count }, (_, at) => `t${at}`),
        look,
      );
      expect(isValid(tiles), `${count}`).toBe(true);
      expect(tiles, `${count}`).toHaveLength(count);
      expect(getArea(tiles), `${count}`).toBe(GRID.columns * GRID.rows);
    }
  });

  test("that two browsers have put into one place are parted, and none is lost", () => {
    const settled = settleTiles([...DESK, { ...LEFT, id: "other" }, { ...UPPER, id: "third", w: 99 }]);
    expect(settled.map(({ id }) => id)).toEqual(["left", "upper", "lower", "other", "third"]);
    expect(isValid(settled)).toBe(true);
    expect(settleTiles(DESK)).toEqual(DESK);
  });
});

test("No sequence of steps makes tiles overlap, leave the grid or get lost", () => {
  const step = fc.record({
    kind: fc.constantFrom("edge", "grow", "swap", "dock", "add", "remove"),
    one: fc.nat(15),
    other: fc.nat(15),
    side: fc.constantFrom(...SIDES),
    to: fc.integer({ min: -3, max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let tiles: readonly Tile[] = [{ id: "t0", x: 0, y: 0, w: 24, h: 24 }];
      let next = 1;
      for (const { kind, one, other, side, to } of steps) {
        const [first, second] = [one, other].map((at) => tiles[at % tiles.length]?.id ?? "");
        const count = tiles.length;
        if (kind === "edge") tiles = moveEdge(tiles, first as string, side === "right" ? "right" : "down", to);
        if (kind === "grow") tiles = growTile(tiles, first as string, side);
        if (kind === "swap") tiles = swapTiles(tiles, first as string, second as string);
        if (kind === "dock") tiles = dockTile(tiles, first as string, second as string, side) ?? tiles;
        expect(tiles).toHaveLength(count);
        if (kind === "add" && count < 16) tiles = addTile(tiles, `t${next++}`) ?? tiles;
        if (kind === "remove" && count > 1) tiles = removeTile(tiles, first as string);
        expect(isValid(tiles)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
