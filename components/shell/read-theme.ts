import { cookies } from "next/headers";
import { DEFAULT_THEME, isTheme, type Theme, THEME_COOKIE } from "@/components/ui/theme";

/** The theme this browser chose. It comes from a cookie, so that the server already paints the right colours. */
export async function readTheme(): Promise<Theme> {
  const value = (await cookies()).get(THEME_COOKIE)?.value;
  return isTheme(value) ? value : DEFAULT_THEME;
}
