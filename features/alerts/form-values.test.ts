import { expect, test } from "vitest";
import { readAlertForm, toAlertSettings, writeAlertForm } from "@/features/alerts/form-values";
import { ALERT_KINDS, type AlertFormValues, EMPTY_ALERT, type SymbolNow } from "@/features/alerts/types";
import { FieldError } from "@/features/forms/action-state";
import { createFormReader } from "@/features/forms/form-reader";
import type { Alert } from "@/lib/alerts/alerts";
import { type Condition, describeCondition } from "@/lib/alerts/conditions";

const fill = (changed: Partial<AlertFormValues>): AlertFormValues => ({ ...EMPTY_ALERT, level: "1.2", ...changed });
const findError = (changed: Partial<AlertFormValues>, quote: SymbolNow = null) => {
  try {
    toAlertSettings(fill(changed), quote);
    return null;
  } catch (error) {
    return error instanceof FieldError ? { [error.field]: error.message } : error;
  }
};

test("Every kind of the form becomes a condition, and is shown again as it was filled in", () => {
  for (const kind of ALERT_KINDS) {
    const values = fill({ kind, level: "1.20000", currencies: "usd eur, USD", search: " CPI ", repeat: "900" });
    const { condition, cooldownS, webhookId, byMail, byPush } = toAlertSettings(values, null);
    expect(condition.type).toBe(kind);
    const alert = { condition, cooldownS, webhookId, byMail, byPush, name: describeCondition(condition) } as Alert;
    const shown = writeAlertForm(alert);
    expect(toAlertSettings(shown, null)).toEqual({ ...toAlertSettings(values, null), name: "" });
    expect(shown).toMatchObject({ kind, name: "", repeat: "900" });
  }
});

test("A line stays as the alert to edit has it, and the form cannot make one", () => {
  const point = (day: string, price: number) => ({ time: `2026-01-${day}T12:00:00.000Z`, price });
  const line: Condition = {
    type: "line",
    symbol: "EURUSD",
    timeframe: "H1",
    scale: "log",
    extend: "none",
    direction: "up",
    price: "bid",
    from: point("14", 1.1),
    to: point("15", 1.2),
    drawing: null,
  };
  const values = fill({ kind: "line", symbol: "GBPUSD", direction: "down", price: "mid" });
  expect(toAlertSettings(values, null, line).condition).toEqual({ ...line, direction: "down", price: "mid" });
  expect(findError({ kind: "line" })).toMatchObject({ kind: expect.stringContaining("created on the chart") });
});

test("The form of events reads codes in any case and spacing, each once", () => {
  const { condition } = toAlertSettings(
    fill({ kind: "upcoming", currencies: " usd;eur  USD,", impacts: [], lead: "5" }),
    null,
  );
  expect(condition).toEqual({ type: "upcoming", minutes: 5, currencies: ["USD", "EUR"], impacts: [], search: "" });
});

test("What is wrong is said beside its field", () => {
  expect(findError({ level: "" })).toEqual({ level: "The level must be a number." });
  expect(findError({ level: "1.2.3" })).toEqual({ level: "The level must be a number." });
  expect(findError({ level: "-1" })).toEqual({ level: "The level must be above 0." });
  expect(findError({ kind: "move", percent: "0" })).toEqual({ percent: "The percentage must be at least 0.01." });
  expect(findError({ kind: "move", minutes: "1.5" })).toMatchObject({
    minutes: expect.stringMatching(/^The time must/),
  });
  expect(findError({ kind: "upcoming", lead: "0" })).toMatchObject({ lead: expect.stringMatching(/^The time must/) });
  expect(findError({ kind: "state", states: [] })).toEqual({ states: "The choice must name at least one state." });
  expect(findError({ kind: "completeness", complete: "101" })).toEqual({
    complete: "The percentage must be at most 100.",
  });
  expect(findError({ kind: "completeness", complete: "most" })).toEqual({
    complete: "The percentage must be a number.",
  });
  expect(findError({ kind: "release", currencies: "dollar" })).toEqual({
    currencies: "The currencies must be codes such as USD.",
  });
  expect(findError({ direction: "sideways" })).toMatchObject({ kind: expect.stringContaining("The condition") });
});

test("A level is read with either decimal mark, and one of two readings by the price now", () => {
  const at = (bid: number): SymbolNow => ({ bid, ask: bid, digits: 5, spreadPips: 1, state: "live" });
  const read = (level: string, quote: SymbolNow) => toAlertSettings(fill({ level }), quote).condition;
  expect(read("1,0850", null)).toMatchObject({ level: 1.085 });
  expect(read("1,085", at(1.08))).toMatchObject({ level: 1.085 });
  expect(read("1,085", at(990))).toMatchObject({ level: 1085 });
  expect(read("1.085", at(990))).toMatchObject({ level: 1085 });
  const both = { level: "The level can be read as 1.085 or as 1085; write 1.0850 or 1085." };
  expect(findError({ level: "1,085" })).toEqual(both);
  expect(findError({ level: "1,085" }, at(40))).toEqual(both);
  const move = fill({ kind: "move", percent: "0,25", minutes: "1.440" });
  expect(toAlertSettings(move, null).condition).toMatchObject({ percent: 0.25, minutes: 1_440 });
  expect(findError({ kind: "move", percent: "a half" })).toEqual({ percent: "The percentage must be a number." });
  expect(findError({ kind: "upcoming", lead: "1h" })).toEqual({ lead: "The time must be a number." });
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
