import { cookies } from "next/headers";
import { DEFAULT_ZONE, parseZoneCookie, ZONE_COOKIE } from "@/components/shared/zone";
import {
  DEFAULT_PALETTE,
  DEFAULT_THEME,
  isPalette,
  isTheme,
  type Palette,
  PALETTE_COOKIE,
  type Theme,
  THEME_COOKIE,
} from "@/components/ui/theme";

/** Reads the theme of this browser from a cookie, so that the server renders the right colours. */
export async function readTheme(): Promise<Theme> {
  const value = (await cookies()).get(THEME_COOKIE)?.value;
  return isTheme(value) ? value : DEFAULT_THEME;
}

/** Reads the colours of prices in this browser, like the theme. */
export async function readPalette(): Promise<Palette> {
  const value = (await cookies()).get(PALETTE_COOKIE)?.value;
  return isPalette(value) ? value : DEFAULT_PALETTE;
}

/** Reads the time zone of all pages in this browser from its cookie; UTC until the first page has stored one. */
export async function readZone(): Promise<string> {
  return parseZoneCookie((await cookies()).get(ZONE_COOKIE)?.value)?.zone ?? DEFAULT_ZONE;
}
