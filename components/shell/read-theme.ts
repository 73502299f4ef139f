import { cookies } from "next/headers";
import { DEFAULT_THEME, isTheme, type Theme, THEME_COOKIE } from "@/components/ui/theme";

/** Reads the theme of this browser from a cookie, so that the server renders the right colours. */
export async function readTheme(): Promise<Theme> {
  const value = (await cookies()).get(THEME_COOKIE)?.value;
  return isTheme(value) ? value : DEFAULT_THEME;
}
