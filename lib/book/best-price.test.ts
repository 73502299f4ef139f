import { describe, expect, test } from "vitest";
import { findBestPrice } from "@/lib/book/best-price";
import { setUp } from "@/lib/book/book.fixture";

describe("the best price", () => {
  test("The best price is the highest bid and the lowest ask of the live sources.", () => {
    const { book, update } = setUp();
    update("first", 1.1, 1.1003);
    update("second", 1.10005, 1.1002);
    const served = book.served("EURUSD");
    expect(served && findBestPrice(book.sources("EURUSD"), served, 5)).toEqual({
      bid: 1.10005,
      ask: 1.1002,
      spread: 0.00015,
    });
  });

  test("The spread of the best price is negative when brokers cross.", () => {
    const { book, update } = setUp();
    update("first", 1.1, 1.1001);
    update("second", 1.1003, 1.1004);
    const served = book.served("EURUSD");
    expect(served && findBestPrice(book.sources("EURUSD"), served, 5).spread).toBe(-0.0002);
  });

  test("The best price leaves out quotes that are not live, and is the served quote if none is.", () => {
    const { book, update, pass } = setUp();
    update("second", 1.2, 1.2001);
    pass(60);
    update("first", 1.1, 1.1001);
    let served = book.served("EURUSD");
    expect(served && findBestPrice(book.sources("EURUSD"), served, 5)).toMatchObject({ bid: 1.1, ask: 1.1001 });
    pass(600);
    served = book.served("EURUSD");
    expect(served && findBestPrice(book.sources("EURUSD"), served, 5)).toMatchObject({ bid: 1.1, ask: 1.1001 });
  });
});
