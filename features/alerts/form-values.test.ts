import { expect, test } from "vitest";
import { readAlertForm, toAlertSettings, writeAlertForm } from "@/features/alerts/form-values";
import { ALERT_KINDS, type AlertFormValues, EMPTY_ALERT } from "@/features/alerts/types";
import { FieldError } from "@/features/forms/action-state";
import { createFormReader } from "@/features/forms/form-reader";
import type { Alert } from "@/lib/alerts/alerts";
import { describeCondition } from "@/lib/alerts/conditions";

const fill = (changed: Partial<AlertFormValues>): AlertFormValues => ({ ...EMPTY_ALERT, level: "1.2", ...changed });
const findError = (changed: Partial<AlertFormValues>) => {
  try {
    toAlertSettings(fill(changed));
    return null;
  } catch (error) {
    return error instanceof FieldError ? { [error.field]: error.message } : error;
  }
};

test("Every kind of the form becomes a condition, and is shown again as it was filled in", () => {
  for (const kind of ALERT_KINDS) {
    const values = fill({ kind, level: "1.20000", currencies: "usd eur, USD", search: " CPI ", repeat: "900" });
    const { condition, cooldownS, webhookId, byMail } = toAlertSettings(values);
    expect(condition.type).toBe(kind);
    const alert = { condition, cooldownS, webhookId, byMail, name: describeCondition(condition) } as Alert;
    const shown = writeAlertForm(alert);
    expect(toAlertSettings(shown)).toEqual({ ...toAlertSettings(values), name: "" });
    expect(shown).toMatchObject({ kind, name: "", repeat: "900" });
  }
});

test("The form of events reads codes in any case and spacing, each once", () => {
  const { condition } = toAlertSettings(
    fill({ kind: "upcoming", currencies: " usd;eur  USD,", impacts: [], lead: "5" }),
  );
  expect(condition).toEqual({ type: "upcoming", minutes: 5, currencies: ["USD", "EUR"], impacts: [], search: "" });
});

test("What is wrong is said beside its field", () => {
  expect(findError({ level: "" })).toEqual({ level: "The level must be a number." });
  expect(findError({ level: "1,2" })).toEqual({ level: "The level must be a number." });
  expect(findError({ level: "-1" })).toEqual({ level: "The level must be above 0." });
  expect(findError({ kind: "move", percent: "0" })).toEqual({ percent: "The percentage must be at least 0.01." });
  expect(findError({ kind: "move", minutes: "1.5" })).toMatchObject({
    minutes: expect.stringMatching(/^The time must/),
  });
  expect(findError({ kind: "upcoming", lead: "0" })).toMatchObject({ lead: expect.stringMatching(/^The time must/) });
  expect(findError({ kind: "state", states: [] })).toEqual({ states: "The choice must name at least one state." });
  expect(findError({ kind: "release", currencies: "dollar" })).toEqual({
    currencies: "The currencies must be codes such as USD.",
  });
  expect(findError({ direction: "sideways" })).toMatchObject({ kind: expect.stringContaining("The condition") });
});

test("A form of anyone's making is read without an error", () => {
  const form = new FormData();
  form.append("kind", "no such kind");
  form.append("states", new Blob(["a file"]));
  form.append("level", "1".repeat(10_000));
  const values = readAlertForm(createFormReader(form));
  expect(values).toMatchObject({ kind: "price", states: [], byMail: false, webhookId: "", direction: "either" });
  expect(values.level).toHaveLength(400);
});
