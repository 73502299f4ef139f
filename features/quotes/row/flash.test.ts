import { expect, test, vi } from "vitest";
import { flash } from "@/features/quotes/row/flash";

/** The part of an element that a flash uses. */
function createElement() {
  const attributes = new Set<string>();
  return {
    setAttribute: (name: string) => void attributes.add(name),
    removeAttribute: (name: string) => void attributes.delete(name),
    isLit: () => attributes.has("data-flash"),
  };
}

test("Prices that move in one update are tinted together, and no longer than until the next update", () => {
  vi.useFakeTimers();
  const [first, second] = [createElement(), createElement()];
  const light = (element: typeof first): void => flash(element as unknown as Element);
  light(first);
  light(second);
  light(second);
  expect([first, second].map((each) => each.isLit())).toEqual([true, true]);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(249);
  expect([first, second].map((each) => each.isLit())).toEqual([false, false]);
  light(first);
  expect([first, second].map((each) => each.isLit())).toEqual([true, false]);
  vi.useRealTimers();
});
