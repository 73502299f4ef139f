import { WEEKS } from "@/lib/calendar/publisher-weeks.fixture";
import { scoreTwins, type TwinScore } from "@/lib/calendar/twin-labels.fixture";
import { findRealData } from "@/lib/feeds/real-data.fixture";

/** Measures how well twins are found in real weeks of two publishers, compared with manual labels. */

const realData = findRealData();
if (realData === undefined) process.exit(1);

const printRow = (name: string, { labelled, found, right }: Pick<TwinScore, "labelled" | "found" | "right">) =>
  console.log(
    `| ${name} | ${labelled} | ${found} | ${right} | ${(right / found).toFixed(3)} | ${(right / labelled).toFixed(3)} |`,
  );

console.log("| week | labelled | found | right | precision | recall |\n|---|---|---|---|---|---|");
const scores = WEEKS.map((week) => ({ week, ...scoreTwins(realData, week) }));
for (const score of scores) printRow(score.week, score);
const sumScores = (field: "labelled" | "found" | "right") => scores.reduce((total, score) => total + score[field], 0);
printRow("all", { labelled: sumScores("labelled"), found: sumScores("found"), right: sumScores("right") });
