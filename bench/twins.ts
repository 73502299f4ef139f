import { WEEKS } from "@/lib/calendar/recorded/publisher-weeks.fixture";
import { scoreTwins, type TwinScore } from "@/lib/calendar/recorded/twin-labels.fixture";
import { findRealData } from "@/lib/feeds/real-data.fixture";

/** How well twins are found in real weeks of two publishers, beside what was labelled by hand. */

const realData = findRealData();
if (realData === undefined) process.exit(1);

const row = (name: string, { labelled, found, right }: Pick<TwinScore, "labelled" | "found" | "right">) =>
  console.log(
    `| ${name} | ${labelled} | ${found} | ${right} | ${(right / found).toFixed(3)} | ${(right / labelled).toFixed(3)} |`,
  );

console.log("| week | labelled | found | right | precision | recall |\n|---|---|---|---|---|---|");
const scores = WEEKS.map((week) => ({ week, ...scoreTwins(realData, week) }));
for (const score of scores) row(score.week, score);
const sum = (field: "labelled" | "found" | "right") => scores.reduce((total, score) => total + score[field], 0);
row("all", { labelled: sum("labelled"), found: sum("found"), right: sum("right") });
