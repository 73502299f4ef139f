import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SaveState } from "@/components/shared/saver";
import { toggleSymbol } from "@/features/quotes/list-changes";
import type { SavedLists } from "@/features/quotes/types";
import { createListSaver } from "@/features/quotes/use-lists";
import { DEFAULT_LIST, type QuoteList } from "@/lib/access/quote-list";

const star = (symbol: string) => (lists: readonly QuoteList[]) => toggleSymbol(lists, "starred", symbol);

/** A saver with a server in memory, whose lists another browser can change. */
function open() {
  let stored: SavedLists = { revision: 0, lists: [DEFAULT_LIST] };
  let failure: { error: string; isFinal: boolean; isSignedOut?: boolean } | null = null;
  const kept: (readonly QuoteList[])[] = [];
  const sent: SavedLists[] = [];
  const seen: (readonly QuoteList[])[] = [];
  const states: SaveState[] = [];
  const saver = createListSaver(
    stored,
    {
      onLists: (lists) => void seen.push(lists),
      onState: (state) => void states.push(state),
      onSignedOut: (lists) => void kept.push(lists),
    },
    async (body) => {
      sent.push(body);
      if (failure !== null) return failure;
      if (body.revision !== stored.revision) return { ...stored, isSaved: false };
      stored = { revision: stored.revision + 1, lists: body.lists };
      return { ...stored, isSaved: true };
    },
  );
  const changeElsewhere = (symbol: string) =>
    (stored = { revision: stored.revision + 1, lists: star(symbol)(stored.lists) });
  return {
    saver,
    sent,
    states,
    kept,
    changeElsewhere,
    fail: (next: typeof failure) => (failure = next),
    readStored: () => stored.lists[0]?.symbols,
    readSeen: () => seen.at(-1)?.[0]?.symbols,
  };
}

describe("The saver of lists", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("shows a change at once, and saves quick changes together", async () => {
    const { saver, sent, states, readSeen, readStored } = open();
    saver.change(star("EURUSD"));
    saver.change(star("XAUUSD"));
    expect(readSeen()).toEqual(["EURUSD", "XAUUSD"]);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(1);
    expect(readStored()).toEqual(["EURUSD", "XAUUSD"]);
    expect(states.at(-1)).toEqual({ kind: "saved" });
  });

  test("makes its change again to the lists of another browser", async () => {
    const { saver, changeElsewhere, readStored, readSeen } = open();
    changeElsewhere("USDJPY");
    saver.change(star("EURUSD"));
    expect(await saver.flush()).toBe(true);
    expect(readStored()).toEqual(["USDJPY", "EURUSD"]);
    expect(readSeen()).toEqual(["USDJPY", "EURUSD"]);
  });

  test("keeps a change that could not be sent, and sends it again", async () => {
    const { saver, states, fail, readStored, readSeen } = open();
    fail({ error: "Unreachable", isFinal: false });
    saver.change(star("EURUSD"));
    expect(await saver.flush()).toBe(false);
    expect(states.at(-1)).toEqual({ kind: "failed", reason: "Unreachable" });
    expect(readSeen()).toEqual(["EURUSD"]);
    fail(null);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(readStored()).toEqual(["EURUSD"]);
    expect(states.at(-1)).toEqual({ kind: "saved" });
  });

  test("hands over its lists when the session has ended", async () => {
    const { saver, fail, kept } = open();
    fail({ error: "Unreachable", isFinal: false });
    saver.change(star("EURUSD"));
    await saver.flush();
    expect(kept).toEqual([]);
    fail({ error: "Signed out", isFinal: false, isSignedOut: true });
    await saver.flush();
    expect(kept).toEqual([[{ ...DEFAULT_LIST, symbols: ["EURUSD"] }]]);
  });

  test("takes back a change that the server refuses", async () => {
    const { saver, fail, readSeen } = open();
    fail({ error: "Too many", isFinal: true });
    saver.change(star("EURUSD"));
    expect(await saver.flush()).toBe(false);
    expect(readSeen()).toEqual([]);
  });
});
