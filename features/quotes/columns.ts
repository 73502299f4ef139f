/** The columns of the board that can be chosen, in their order. Star and symbol are always there. */
export const BOARD_COLUMNS = [
  "bid",
  "ask",
  "spread",
  "usual",
  "change",
  "percent",
  "range",
  "spark",
  "age",
  "state",
  "source",
] as const;
export type BoardColumn = (typeof BOARD_COLUMNS)[number];

/** The height of the rows. On a phone rows have two lines in both. */
export const DENSITIES = ["normal", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

/** Columns that are shown only while the rows differ in them. */
export const TELLING_COLUMNS = ["state", "source"] as const;
export type TellingColumn = (typeof TELLING_COLUMNS)[number];

interface ColumnText {
  readonly label: string;
  /** What the column shows, as a sentence. */
  readonly meaning: string;
}

export const COLUMN_TEXTS: Readonly<Record<BoardColumn, ColumnText>> = {
  bid: { label: "Bid", meaning: "The price to sell at." },
  ask: { label: "Ask", meaning: "The price to buy at." },
  spread: {
    label: "Spread, pips",
    meaning: "Ask minus bid. Amber with an arrow: wider than in 95 % of the last 7 days.",
  },
  usual: { label: "Usual, 7 days", meaning: "The spread in 90 % of the last 7 days, in pips: 5th to 95th percentile." },
  change: { label: "Change", meaning: "The bid now, minus the bid at 17:00 in New York." },
  percent: { label: "Change %", meaning: "The change in percent of the bid at 17:00 in New York." },
  range: {
    label: "Day range",
    meaning: "Lowest and highest bid since 17:00 in New York, and the bid now between them.",
  },
  spark: { label: "Day", meaning: "The bid since 17:00 in New York." },
  age: { label: "Age", meaning: "The time since the last price." },
  state: { label: "State", meaning: "Shown only while rows differ." },
  source: { label: "Source", meaning: "Shown only while rows differ." },
};

export function isTelling(column: BoardColumn): column is TellingColumn {
  return column === "state" || column === "source";
}
