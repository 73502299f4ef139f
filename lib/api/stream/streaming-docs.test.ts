import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getEntitlements, NO_LIMIT, PLAN_NAMES } from "@/lib/access/plans";

test("The documentation of streams has the numbers of every plan", () => {
  const text = readFileSync("docs/streaming.md", "utf8");
  const terms = PLAN_NAMES.map((plan) => getEntitlements(plan, "standard"));
  for (const { name, streams, streamSymbols } of [...terms, getEntitlements("pro", "tool")]) {
    const symbols = streamSymbols === NO_LIMIT ? "no limit" : String(streamSymbols);
    const label = name === "tool" ? "tool keys" : name;
    expect(text).toMatch(new RegExp(`^\\| ${label} +\\| ${streams} +\\| ${symbols} +\\|$`, "m"));
  }
});
