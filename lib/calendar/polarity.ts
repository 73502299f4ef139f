import { parseFigure } from "@/lib/calendar/figure";

/** Whether a higher or a lower figure is good for the currency. */
type Polarity = "higher" | "lower";

/** The first matching pattern decides. Without a match, or with null, no figure is rated. */
const RULES: readonly (readonly [RegExp, Polarity | null])[] = [
  [/participation|auction|inventor|storage|money (stock|supply)|natural gas|votes?\b|reserves/, null],
  [/unemployment rate|jobless|unemployment (claims|change)|claimant|delinquenc|bankruptc|layoffs|challenger/, "lower"],
  [/\bcpi\b|\bppi\b|\bhicp\b|inflation|price index|earnings|wage|labou?r cost/, "higher"],
  [/payrolls|employment|job openings|job advert|vacanc/, "higher"],
  [
    /\bgdp\b|\bpmi\b|production|manufacturing|services|output|orders|sales|spending|income|permits|starts|housing|home/,
    "higher",
  ],
  [
    /confidence|sentiment|climate|optimism|tankan|\bifo\b|\bzew\b|barometer|leading ind|business nz|consumer credit/,
    "higher",
  ],
  [/trade balance|current account|exports|budget balance/, "higher"],
  [/\brate\b|rate decision/, "higher"],
];

export type Outcome = "beat" | "miss" | "in line";

/** Compares a released figure with its forecast by the polarity of its series. Null if that is not possible. */
export function compareWithForecast(title: string, forecast: string, actual: string | null): Outcome | null {
  const polarity = findPolarity(title);
  const [expected, released] = [parseFigure(forecast), parseFigure(actual)];
  if (expected === null || released === null || polarity === null) return null;
  if (expected.value === released.value) return "in line";
  return released.value > expected.value === (polarity === "higher") ? "beat" : "miss";
}

function findPolarity(title: string): Polarity | null {
  const name = title.toLowerCase();
  return RULES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
