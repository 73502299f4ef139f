import { expect, test } from "vitest";
import { getEntitlements, type PlanName } from "@/lib/access/plans";
import { forecastToday, listGains } from "@/lib/access/usage/plan-forecast";

const at = (time: string) => Date.parse(`2026-01-15T${time}Z`);

const terms = (plan: PlanName) => getEntitlements(plan, "standard");

test("The forecast extends the day so far", () => {
  expect(forecastToday(300, at("06:00:00"))).toBe(1_200);
  expect(forecastToday(300, at("12:00:00"))).toBe(600);
  expect(forecastToday(300, at("23:59:59.999"))).toBe(300);
  expect(forecastToday(0, at("12:00:00"))).toBe(0);
});

test("The first hour has no forecast", () => {
  expect(forecastToday(300, at("00:59:59.999"))).toBeNull();
  expect(forecastToday(300, at("01:00:00"))).toBe(7_200);
});

test("The gains list only what another plan adds", () => {
  expect(listGains(terms("free"), terms("starter"))).toEqual([
    "10,000 calls a day",
    "120 requests a minute for each key",
    "3 streams of prices for each key",
    "25 symbols in a stream",
    "the economic calendar",
    "released figures in the calendar",
    "past values of indicators",
  ]);
  expect(listGains(terms("starter"), terms("payg"))).toEqual([
    "no limit on calls a day",
    "600 requests a minute for each key",
    "5 streams of prices for each key",
    "50 symbols in a stream",
  ]);
  expect(listGains(terms("enterprise"), terms("pro"))).toEqual([]);
  expect(listGains({ ...terms("free"), perDay: 50_000, perMinute: 200 }, terms("starter"))).not.toContain(
    "10,000 calls a day",
  );
});
