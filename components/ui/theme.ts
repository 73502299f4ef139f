/** The themes to choose from. "system" follows the device. */
const THEMES = ["dark", "light", "system"] as const;
export type Theme = (typeof THEMES)[number];

export const DEFAULT_THEME: Theme = "dark";
export const THEME_COOKIE = "spotline-theme";

export function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value);
}
