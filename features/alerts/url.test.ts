import { expect, test } from "vitest";
import { EMPTY_ALERT } from "@/features/alerts/types";
import { readAlertsChoice } from "@/features/alerts/url";

const read = (text: string) => readAlertsChoice(new URLSearchParams(text));
const ID = "00000000-0000-4000-8000-000000000000";

test("An address without parameters begins with the usual form, which a phone does not show", () => {
  expect(read("")).toEqual({ values: EMPTY_ALERT, isOpen: false, editedId: null, alertId: null });
});

test("An address fills in the form, with a symbol in any spelling", () => {
  expect(read("symbol=eur/usd&kind=price&level=1.2&direction=up")).toMatchObject({
    isOpen: true,
    values: { kind: "price", symbol: "EURUSD", level: "1.2", direction: "up" },
  });
  expect(read("kind=release&currencies=USD&impacts=high,low&search=CPI").values).toMatchObject({
    ...{ kind: "release", currencies: "USD", impacts: ["high", "low"], search: "CPI" },
  });
});

test("An address may choose every impact", () => {
  expect(read("kind=upcoming&impacts=").values.impacts).toEqual([]);
});

test("What an address names wrongly is as usual", () => {
  expect(read("kind=magic&symbol=NOSUCH&edit=1&alert=%00")).toEqual(read(""));
  expect(read(`search=${"a".repeat(500)}`).values.search).toHaveLength(100);
});

test("An address names the alert to edit, and the one whose log is shown", () => {
  expect(read(`edit=${ID}`).editedId).toBe(ID);
  expect(read(`alert=${ID}`)).toMatchObject({ alertId: ID, isOpen: false });
});
