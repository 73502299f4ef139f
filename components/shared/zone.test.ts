import { expect, test } from "vitest";
import { parseZoneCookie } from "@/components/shared/zone";

test("The cookie names a chosen zone, or the device's own", () => {
  expect(parseZoneCookie("Asia/Tokyo")).toEqual({ zone: "Asia/Tokyo", isOwn: false });
  expect(parseZoneCookie("own:Europe/Berlin")).toEqual({ zone: "Europe/Berlin", isOwn: true });
});

test("A cookie without a known zone is ignored", () => {
  for (const value of [undefined, "", "own:", "Mars/Base", "own:Mars/Base"]) expect(parseZoneCookie(value)).toBeNull();
});
