import type { Locator } from "@playwright/test";

/** What is measured in the page, for the journeys that check where things are. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the box of an element that is shown. */
export async function getBox(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${String(locator)} is not shown`);
  return box;
}

/** Returns the words that match a pattern and do not fit on one line, such as "1,200 credits". */
export function findBrokenWords(locator: Locator, pattern: RegExp): Promise<string[]> {
  return locator.evaluateAll((elements, source) => {
    const broken: string[] = [];
    for (const element of elements) {
      const nodes: Text[] = [];
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() !== null) nodes.push(walker.currentNode as Text);
      for (const node of nodes) {
        for (const match of node.data.matchAll(new RegExp(source, "g"))) {
          const range = document.createRange();
          range.setStart(node, match.index);
          range.setEnd(node, match.index + match[0].length);
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          if (new Set(tops).size > 1) broken.push(match[0]);
        }
      }
    }
    return broken;
  }, pattern.source);
}

/** Returns pairs of horizontal lines with almost nothing between them, each by its elements. */
export function findDoubleRules(locator: Locator): Promise<string[]> {
  return locator.evaluate((root) => {
    /** Lines that belong to two rules are further apart than this, in pixels. */
    const NEAREST = 6;
    const SIDES = ["Top", "Bottom"] as const;
    const name = (element: Element) => `${element.tagName} ${element.textContent?.trim().slice(0, 30) ?? ""}`;
    /** What only screen readers find is cut to a pixel. */
    const isCut = (element: Element | null): boolean =>
      element !== null && (element.getBoundingClientRect().width <= 1 || isCut(element.parentElement));
    const rules = [...root.querySelectorAll("*")].flatMap((element) => {
      if (isCut(element)) return [];
      const style = getComputedStyle(element);
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return SIDES.flatMap((side) => {
        const width = parseFloat(style[`border${side}Width`]);
        const isShown =
          width > 0 && right - left > 0 && !/^rgba\(.*, 0\)$|\/ 0\)$|transparent/.test(style[`border${side}Color`]);
        const y = side === "Top" ? top : bottom - width;
        return isShown ? [{ element, left, right, y, width }] : [];
      });
    });
    return rules.flatMap((one, index) =>
      rules.slice(index + 1).flatMap((other) => {
        const shared = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const isOver = one.element !== other.element && shared > 8 && Math.abs(one.y - other.y) < NEAREST;
        return isOver ? [`${name(one.element)} | ${name(other.element)} at ${one.y} and ${other.y}`] : [];
      }),
    );
  });
}

/** Puts boxes that are beside each other into rows, from top to bottom. */
export function groupRows<Item extends Box>(boxes: readonly Item[]): Item[][] {
  const rows: Item[][] = [];
  for (const box of [...boxes].sort((one, other) => one.y - other.y)) {
    const row = rows.find(([first]) => first !== undefined && box.y < first.y + first.height / 2);
    if (row === undefined) rows.push([box]);
    else row.push(box);
  }
  return rows;
}
