import { expect, test } from "vitest";
import { toFeedAddress } from "@/features/calendar/calendar-feeds";
import { readChoice } from "@/features/calendar/url";

test("has the filters in the feed's address, as far as the feed knows them", () => {
  const feed = { id: "1", label: "phone", token: "fxc_x", withActual: true };
  const of = (search: string) => toFeedAddress("https://a.example/v1/calendar.ics", feed, readChoice(search));
  expect(of("")).toBe("https://a.example/v1/calendar.ics?token=fxc_x");
  expect(of("currencies=USD,EUR&impact=high&q=100%25&zone=Asia/Tokyo")).toBe(
    "https://a.example/v1/calendar.ics?currencies=USD,EUR&impact=high&q=100%25&token=fxc_x",
  );
  expect(of("impact=high,low")).toBe("https://a.example/v1/calendar.ics?token=fxc_x");
});
