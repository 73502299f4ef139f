import { describe, expect, test } from "vitest";
import { readArrangeKey } from "@/features/screens/arrange";
import { decodeScreen } from "@/features/screens/data";
import { createSettings, READY_SCREENS } from "@/features/screens/ready-screens";
import {
  addPanel,
  changeLinked,
  changePanel,
  encodeScreen,
  findAddProblem,
  findLinkedSymbol,
  placePanels,
  removePanel,
  setColour,
  splitPanel,
  toShared,
} from "@/features/screens/screen-changes";
import { planDrop } from "@/features/screens/screen-grid";
import { readSaid } from "@/features/screens/use-links";
import { checkContent, DEFAULT_LINKS, type Panel, PANEL_KINDS, type ScreenContent } from "@/lib/access/screens/screen";
import { instrumentBySymbol } from "@/lib/market/catalog";

const check = (content: unknown) => checkContent(content, (symbol) => instrumentBySymbol.has(symbol));

function chart(id: string, x: number, colour: Panel["colour"], symbol = "EURUSD"): Panel {
  const settings = { symbol, timeframe: "H1", indicators: [], layers: [] } as const;
  return { id, kind: "chart", colour, x, y: 0, w: 12, h: 24, settings };
}

const DESK: ScreenContent = { panels: [chart("a", 0, "amber"), chart("b", 12, "amber")], links: DEFAULT_LINKS };
const getSymbols = ({ panels }: ScreenContent) =>
  panels.map(({ settings }) => ("symbol" in settings ? settings.symbol : null));

describe("A screen", () => {
  test.each(READY_SCREENS)("that is ready-made can be kept as it is: $name", ({ content }) => {
    expect(check(content)).toEqual(content);
  });

  test("has valid settings in each kind of panel that is added", () => {
    const full = PANEL_KINDS.reduce((content, kind) => addPanel(content, kind, `new${kind}`), DESK);
    expect(full.panels).toHaveLength(DESK.panels.length + PANEL_KINDS.length);
    expect(check(full)).toEqual(full);
    expect(createSettings("chart", "USDJPY")).toMatchObject({ symbol: "USDJPY" });
  });

  test("has a limit of panels and of charts, and says which", () => {
    let content: ScreenContent = { panels: [], links: DEFAULT_LINKS };
    for (let at = 0; at < 12; at++) content = addPanel(content, "chart", `c${at}`);
    expect(content.panels).toHaveLength(12);
    expect(findAddProblem(content, "chart")).toBe("A screen has at most 12 charts.");
    for (let at = 0; at < 4; at++) content = addPanel(content, "clock", `k${at}`);
    expect(findAddProblem(content, "clock")).toBe("A screen has at most 16 panels.");
    expect(addPanel(content, "clock", "more")).toBe(content);
    expect(check(content)).toEqual(content);
  });

  test("keeps a panel that one browser adds while another arranges all", () => {
    const added = addPanel(DESK, "clock", "new");
    const both = placePanels(added, [
      { ...DESK.panels[0]!, x: 0, w: 8 },
      { ...DESK.panels[1]!, x: 8, w: 16 },
    ]);
    expect(both.panels.map(({ id }) => id)).toEqual(["a", "b", "new"]);
    expect(check(both)).toEqual(both);
  });

  test("divides a panel, and gives the room of a removed one to the others", () => {
    const split = splitPanel(DESK, "a", "c", "down");
    expect(split.panels.map(({ id, h }) => [id, h])).toEqual([
      ["a", 12],
      ["c", 12],
      ["b", 24],
    ]);
    expect(removePanel(split, "b").panels.map(({ w }) => w)).toEqual([24, 24]);
  });
});

describe("Linked panels", () => {
  test("change their symbol together, and others do not", () => {
    const content = { ...DESK, panels: [...DESK.panels, { ...chart("c", 0, null), y: 0 }] };
    expect(getSymbols(changePanel(content, "a", { symbol: "USDJPY" }))).toEqual(["USDJPY", "USDJPY", "EURUSD"]);
    expect(getSymbols(changePanel(content, "c", { symbol: "USDJPY" }))).toEqual(["EURUSD", "EURUSD", "USDJPY"]);
    expect(findLinkedSymbol(content, "amber")).toBe("EURUSD");
    expect(findLinkedSymbol(content, "blue")).toBeNull();
  });

  test("change their timeframe together only where the screen links it", () => {
    const getTimeframes = ({ panels }: ScreenContent) =>
      panels.map(({ settings }) => "timeframe" in settings && settings.timeframe);
    expect(getTimeframes(changePanel(DESK, "a", { timeframe: "M5" }))).toEqual(["M5", "H1"]);
    const linked = { ...DESK, links: { ...DESK.links, timeframe: true } };
    expect(getTimeframes(changePanel(linked, "a", { timeframe: "M5" }))).toEqual(["M5", "M5"]);
    expect(getTimeframes(changeLinked(linked, "amber", { timeframe: "D1" }))).toEqual(["D1", "D1"]);
  });

  test("give their symbol to a panel that gets their colour", () => {
    const content = { ...DESK, panels: [DESK.panels[0]!, chart("b", 12, null, "USDJPY")] };
    expect(getSymbols(setColour(content, "b", "amber"))).toEqual(["EURUSD", "EURUSD"]);
    expect(getSymbols(setColour(content, "b", "blue"))).toEqual(["EURUSD", "USDJPY"]);
  });

  test("ignore what another window says of unknown colours, symbols and timeframes", () => {
    expect(readSaid({ colour: "pink", symbol: "EURUSD" })).toBeNull();
    expect(readSaid({ colour: "blue", symbol: "<img>", timeframe: "H99", crosshairMs: "x" })).toEqual({
      colour: "blue",
      symbol: undefined,
      timeframe: undefined,
    });
    expect(readSaid({ colour: "blue", symbol: "EURUSD", crosshairMs: null })).toMatchObject({
      symbol: "EURUSD",
      crosshairMs: null,
    });
  });
});

describe("A shared screen", () => {
  test("is read as it was written, without the lists of the account", async () => {
    const list: Panel = {
      ...{ id: "l", kind: "list", colour: null, x: 12, y: 0, w: 12, h: 24 },
      settings: { list: "my-secret-list", category: null },
    };
    const content = toShared({ ...DESK, panels: [DESK.panels[0]!, list] });
    const text = await encodeScreen({ name: "Bureau d’été €", content });
    expect(decodeScreen(text)).toEqual({ name: "Bureau d’été €", content });
    expect(JSON.stringify(decodeScreen(text))).not.toContain("secret");
  });

  test("of the largest size fits into an address", async () => {
    let content: ScreenContent = { panels: [], links: DEFAULT_LINKS };
    for (let at = 0; at < 12; at++) content = addPanel(content, "chart", `chart${at}`);
    for (let at = 0; at < 4; at++) content = addPanel(content, "clock", `clock${at}`);
    const text = await encodeScreen({ name: "x".repeat(40), content });
    expect(text.length).toBeLessThan(2_000);
    expect(decodeScreen(text)?.content).toEqual(content);
  });

  test.each([
    ["no text", ""],
    ["other characters", "a+b/c="],
    ["what is not packed", "aGVsbG8"],
    ["far too much", "A".repeat(9_000)],
  ])("is refused for %s", (_, text) => {
    expect(decodeScreen(text)).toBeNull();
  });

  test("is refused when cut off, unpacked too large, or not valid", async () => {
    const text = await encodeScreen({ name: "Desk", content: DESK });
    expect(decodeScreen(text.slice(0, -8))).toBeNull();
    expect(decodeScreen(await encodeScreen({ name: " ".repeat(10_000_000), content: DESK }))).toBeNull();
    expect(decodeScreen(await encodeScreen({ name: "", content: DESK }))).toBeNull();
    const unknown = { ...DESK, panels: [chart("a", 0, null, "NOSUCH")] };
    expect(decodeScreen(await encodeScreen({ name: "Desk", content: unknown }))).toBeNull();
  });
});

describe("A panel that is dropped", () => {
  const drop = (x: number, y: number) => planDrop(DESK.panels, "a", { x, y });

  test("on the middle of another one changes places with it", () => {
    expect(drop(18, 12)?.place).toMatchObject({ x: 12, w: 12, h: 24 });
  });

  test("on a side of another one goes there", () => {
    expect(drop(18, 1)?.place).toMatchObject({ x: 0, y: 0, w: 24, h: 12 });
    expect(drop(23, 12)?.tiles.map(({ id, x, w }) => [id, x, w])).toEqual([
      ["a", 12, 12],
      ["b", 0, 12],
    ]);
  });

  test("on itself or beside the grid stays", () => {
    expect(drop(3, 3)).toBeNull();
    expect(drop(40, 3)).toBeNull();
  });
});

describe("The keyboard", () => {
  const press = (key: string, keys: object = {}) =>
    readArrangeKey(
      { key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...keys },
      DESK.panels,
      "a",
      (id) => id.toUpperCase(),
    );

  test("moves, sizes and says what has happened", () => {
    expect(press("ArrowRight")?.said).toBe("A changed places with B: columns 13 to 24, rows 1 to 24 of 24");
    expect(press("ArrowRight", { shiftKey: true })?.said).toBe("A: columns 1 to 13, rows 1 to 24 of 24");
    expect(press("ArrowRight", { altKey: true })?.said).toBe("A now right of B: columns 13 to 24, rows 1 to 24 of 24");
    expect(press("ArrowLeft")?.said).toBe("No panel left of A");
    expect(press("ArrowUp", { shiftKey: true })?.said).toBe("A cannot be sized further");
  });

  test("leaves other keys alone", () => {
    expect(press("Tab")).toBeNull();
    expect(press("ArrowRight", { ctrlKey: true })).toBeNull();
  });
});
