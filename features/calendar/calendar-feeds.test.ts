import { expect, test } from "vitest";
import { toFeedAddress } from "@/features/calendar/calendar-feeds";
import { readChoice } from "@/features/calendar/url";

test("The address of a feed has the filters that a feed supports", () => {
  const feed = { id: "1", label: "phone", token: "fxc_x", withActual: true };
  const addressFor = (search: string) =>
    toFeedAddress("https://a.example/v1/calendar.ics", feed, readChoice(search, "UTC"));
  expect(addressFor("")).toBe("https://a.example/v1/calendar.ics?token=fxc_x");
  expect(addressFor("currencies=USD,EUR&impact=high&q=100%25&zone=Asia/Tokyo")).toBe(
    "https://a.example/v1/calendar.ics?currencies=USD,EUR&impact=high&q=100%25&token=fxc_x",
  );
  expect(addressFor("impact=high,low")).toBe("https://a.example/v1/calendar.ics?token=fxc_x");
});
