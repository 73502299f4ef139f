import { readColours, readFontFamily } from "@/components/shared/theme-colours";

/** The colours of the page that the chart uses. */

const TOKENS = [
  "--bg",
  "--panel",
  "--raised",
  "--line",
  "--edge",
  "--ink",
  "--dim",
  "--faint",
  "--accent",
  "--up",
  "--down",
  "--warn",
  "--sydney",
  "--tokyo",
  "--london",
  "--new_york",
] as const;
/** The lines of indicators, in the order in which they are added. */
export const LINE_TOKENS = [
  "--line-1",
  "--line-2",
  "--line-3",
  "--line-4",
  "--line-5",
  "--line-6",
  "--line-7",
  "--line-8",
] as const;

type Name<Token> = Token extends `--${infer Rest}` ? Rest : never;

export interface ChartColours extends Readonly<Record<Name<(typeof TOKENS)[number]>, string>> {
  readonly lines: readonly string[];
  readonly fontFamily: string;
}

/** Reads the colours of the current theme. `within` is an element of the page. */
export function readChartColours(within: HTMLElement): ChartColours {
  const read = readColours(within);
  const entries = TOKENS.map((token) => [token.slice("--".length), read(token)]);
  const named = Object.fromEntries(entries) as Omit<ChartColours, "lines" | "fontFamily">;
  return { ...named, lines: LINE_TOKENS.map(read), fontFamily: readFontFamily() };
}

/** The colour with another opacity, from 0 to 1. */
export function fade(colour: string, opacity: number): string {
  return colour.replace(/^rgba?\(([^),]+),([^),]+),([^),]+).*$/, `rgba($1,$2,$3,${opacity})`);
}
