/** The themes to choose from. "system" follows the device. */
const THEMES = ["dark", "light", "system"] as const;
export type Theme = (typeof THEMES)[number];

export const DEFAULT_THEME: Theme = "system";
export const THEME_COOKIE = "spotline-theme";

export function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value);
}

/** The colours of rising and falling prices. People with a red-green deficiency can distinguish blue and orange. */
const PALETTES = ["green-red", "blue-orange"] as const;
export type Palette = (typeof PALETTES)[number];

export const DEFAULT_PALETTE: Palette = "green-red";
export const PALETTE_COOKIE = "spotline-palette";

export function isPalette(value: unknown): value is Palette {
  return PALETTES.some((palette) => palette === value);
}
