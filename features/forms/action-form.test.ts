import { expect, test } from "vitest";
import { withoutChanged } from "@/features/forms/use-field-errors";

test("The error of a field ends when the field is changed", () => {
  const errors = { label: "Enter a label.", expiry: "Choose a day." };
  expect(withoutChanged(errors, [])).toEqual(errors);
  expect(withoutChanged(errors, ["scopes", "label"])).toEqual({ expiry: "Choose a day." });
  expect(withoutChanged(errors, ["expiryDate"])).toEqual({ label: "Enter a label." });
});
