import { type IndicatorFamily, listUsualNames, type Parameter } from "@/lib/analytics/indicators/family";
import { indicatorFamilies } from "@/lib/analytics/indicators/registry";

/** How indicators are named and computed, and all families of them. */
export const writeIndicators = (): string => `# Indicators

\`/v1/indicators/list\` names 42 indicators, which \`/v1/indicators\` answers together. Beside them there are families: one
formula each, with parameters. A member of a family is named by the family, its parameters and its line, joined by underscores:
\`RSI_21\`, \`EMA_34\`, \`BBands_20_2.5_upper\`, \`Supertrend_10_3\`. Every call that takes the name of an indicator takes members
too: \`/v1/indicator\`, its history, \`/v1/multi\`, the screener, the tools of agents, and the chart.

\`\`\`
GET /v1/indicator?symbol=EURUSD&indicator=RSI_21&timeframe=H1
GET /v1/multi?symbols=EURUSD,XAUUSD&indicators=EMA_34,Supertrend_10_3,VWAP_day
GET /v1/indicators/list?include=families
\`\`\`

## Names

- Every parameter is written, in the order of the family, and letters as here.
- A number has one spelling: without zeros before it, and without zeros at the end of its decimals. \`RSI_021\`, \`rsi_21\` and
  \`BBands_20_2.50_upper\` are refused with 404 \`INDICATOR_NOT_FOUND\`, and \`suggestions\` has the right spelling.
- Parameters have bounds, and the error names those that are not kept.
- A member with the parameters of one of the 42 is that indicator: \`MACD_12_26_9_main\` is \`MACD_main\`.
- Members answer in the envelope. Where one of the 42 answers flat, such as \`CCI_14\`, it does so under each of its names.

## How many bars a value is computed from

Averages over a fixed number of bars depend on those bars alone. Others, such as EMA and RSI, never forget a bar. The 42 are
computed from the first bar ever recorded. A member of a family with such an average is computed from its last bars: so many that
the first of them has a weight of about a millionth, and at most half as many more. For an EMA these are 7 × (period + 1) bars,
for one of Wilder's averages, as in RSI, 14 × period. Where exactly it begins depends on the times of bars alone, so a value is the same in
\`/v1/indicator\`, in its history, in the screener, on the chart and in an answer as of a past second. There is no value where too
few bars are stored; at the beginning of a recording, its first bar is the start.

VWAP and pivot points are computed from the bars of their day, week, month or session, at most 6,000: there is no pivot of weeks at M1.
They need timeframes that divide it: those of a session M1 to H1, those of a day and a month up to D1, those of a week up to W1.
Days begin at 17:00 in New York. Volume is tick volume, the number of price updates.

No value changes later. In particular, a ZigZag here is the latest turn that was known at the bar, while charts draw the line to a
turn once they know it. A line that is drawn ahead, such as a Senkou span, has at a bar the value that a chart shows there.

A second symbol is not possible: for the correlation of two, see \`/v1/heatmap?type=correlation\`.

## Families

${indicatorFamilies.map(writeFamily).join("\n\n")}
`;

function writeFamily(family: IndicatorFamily): string {
  const { name, alias, title, formula, source, parameters, lines, rule } = family;
  const named = Object.entries(lines).filter(([line]) => line !== "");
  const parts = [
    `### ${name}`,
    `${title}${alias === undefined ? "" : `, also \`${alias}\``}: ${listUsualNames(family)
      .map((each) => `\`${each}\``)
      .join(", ")}.`,
    `${formula.charAt(0).toUpperCase()}${formula.slice(1)}. After ${source}.`,
    ...(parameters.length === 0 ? [] : [parameters.map(writeParameter).join("\n")]),
    ...(rule === undefined ? [] : [`${rule.text.charAt(0).toUpperCase()}${rule.text.slice(1)}.`]),
    ...(named.length === 0 ? [] : [`Lines: ${named.map(([line, text]) => `\`${line}\`, ${text}`).join("; ")}.`]),
  ];
  return parts.join("\n\n");
}

function writeParameter(parameter: Parameter): string {
  if ("words" in parameter) {
    return `- \`${parameter.name}\`: ${parameter.words.map((word) => `\`${word}\``).join(", ")}`;
  }
  const { name, usual, min, max, decimals } = parameter;
  const digits = decimals === 0 ? "" : `, with at most ${decimals} decimals`;
  return `- \`${name}\`: ${min} to ${max}${digits}; usually ${usual}`;
}
