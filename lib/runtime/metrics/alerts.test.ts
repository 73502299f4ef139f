import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createRegistry } from "@/lib/runtime/metrics/registry";
import type { MetricsState } from "@/lib/runtime/metrics/state";

const { groups } = parse(readFileSync("deploy/prometheus/alerts.yaml", "utf8")) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
const rules = groups.flatMap((group) => group.rules);

test("Every metric of the alerts exists.", () => {
  // No metric is read, so no state is needed.
  const registry = createRegistry(() => ({}) as MetricsState);
  const names = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const named = rules.flatMap(({ expr }) => expr.match(/\b(?:spotline|nodejs|process)_[a-z0-9_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !names.has(name.replace(/_(bucket|sum|count)$/, "")))).toEqual([]);
});

test("An alert that a sum is zero also fires where no server has the metric.", () => {
  const sums = rules.flatMap(({ expr }) =>
    Array.from(expr.matchAll(/\bsum\((\w+)\) == 0/g), ([, name = ""]) => ({ expr, name })),
  );
  expect(sums.map(({ name }) => name)).toEqual(["spotline_recorder_active"]);
  for (const { expr, name } of sums) expect(expr).toContain(`or absent(${name})`);
});
