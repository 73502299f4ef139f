import { expect, test } from "vitest";
import { LEAST_GRANTED, resizeGrant } from "@/lib/access/admission/grant-size";

test("A grant grows while all of it is made, shrinks while less than half is, and stays within bounds", () => {
  expect(resizeGrant(64, 0)).toBe(128);
  expect(resizeGrant(64, 32)).toBe(64);
  expect(resizeGrant(64, 33)).toBe(32);
  expect(resizeGrant(1_024, 0)).toBe(1_024);
  expect(resizeGrant(LEAST_GRANTED, LEAST_GRANTED)).toBe(LEAST_GRANTED);
});
