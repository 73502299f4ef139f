/** The colours of the page that the chart uses. A canvas knows no CSS variables, so they are read from the page. */

const TOKENS = [
  "bg",
  "panel",
  "raised",
  "line",
  "edge",
  "ink",
  "dim",
  "faint",
  "accent",
  "up",
  "down",
  "warn",
] as const;
const SESSIONS = ["sydney", "tokyo", "london", "new_york"] as const;
/** The lines of indicators, in the order in which they are added. */
export const LINE_TOKENS = ["accent", "note", "tokyo", "london", "warn", "sydney", "american", "european"] as const;

type Token = (typeof TOKENS)[number] | (typeof SESSIONS)[number];

export interface ChartColours extends Readonly<Record<Token, string>> {
  readonly lines: readonly string[];
  readonly fontFamily: string;
}

/** Reads the colours of the current theme. */
export function readColours(element: HTMLElement): ChartColours {
  const probe = document.createElement("span");
  probe.className = "numerals";
  element.append(probe);
  const style = getComputedStyle(probe);
  const read = (token: string) => {
    probe.style.color = `var(--${token})`;
    return style.color;
  };
  const tokens = Object.fromEntries([...TOKENS, ...SESSIONS].map((token) => [token, read(token)]));
  const colours = { ...(tokens as Record<Token, string>), lines: LINE_TOKENS.map(read), fontFamily: style.fontFamily };
  probe.remove();
  return colours;
}

/** The colour with another opacity, from 0 to 1. */
export function fade(colour: string, opacity: number): string {
  return colour.replace(/^rgba?\(([^),]+),([^),]+),([^),]+).*$/, `rgba($1,$2,$3,${opacity})`);
}
