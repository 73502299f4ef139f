import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const { groups } = parse(readFileSync("deploy/prometheus/alerts.yaml", "utf8")) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
const rules = groups.flatMap((group) => group.rules);

test("An alert that a sum is zero also fires where no server has the metric.", () => {
  const sums = rules.flatMap(({ expr }) =>
    Array.from(expr.matchAll(/\bsum\((\w+)\) == 0/g), ([, name = ""]) => ({ expr, name })),
  );
  expect(sums.map(({ name }) => name)).toEqual(["spotline_recorder_active"]);
  for (const { expr, name } of sums) expect(expr).toContain(`or absent(${name})`);
});

test.each(["spotline_pages_up", "spotline_api_process_up"])(
  "An alert fires while %s says that a process does not answer.",
  (name) => {
    expect(rules.map(({ expr }) => expr)).toContain(`${name} == 0`);
  },
);
