import { expect, test } from "vitest";
import { getEventKind } from "@/lib/calendar/event";

test("The kind of an event follows from its title and its figures", () => {
  const none = { forecast: "", previous: "", actual: null };
  expect(getEventKind({ ...none, title: "Bank Holiday" })).toBe("holiday");
  expect(getEventKind({ ...none, title: "10-y Bond Auction", previous: "4.12|2.5" })).toBe("auction");
  expect(getEventKind({ ...none, title: "CPI (MoM)", previous: "0.2%" })).toBe("figure");
  expect(getEventKind({ ...none, title: "FOMC Statement" })).toBe("statement");
  expect(getEventKind({ ...none, title: "Retail Sales", actual: "0.1%" })).toBe("figure");
});
