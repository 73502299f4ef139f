import { AUD_RELEASES } from "@/lib/calendar/simulated/releases/aud";
import { CAD_RELEASES } from "@/lib/calendar/simulated/releases/cad";
import { CHF_RELEASES } from "@/lib/calendar/simulated/releases/chf";
import { EUR_RELEASES } from "@/lib/calendar/simulated/releases/eur";
import { GBP_RELEASES } from "@/lib/calendar/simulated/releases/gbp";
import { JPY_RELEASES } from "@/lib/calendar/simulated/releases/jpy";
import { NZD_RELEASES } from "@/lib/calendar/simulated/releases/nzd";
import { USD_RELEASES } from "@/lib/calendar/simulated/releases/usd";
import type { WorldRelease } from "@/lib/calendar/simulated/world-release";

/**
 * The recurring releases of eight currencies. Places, days and times are the real ones and the numbers have a realistic
 * size, but every figure is invented.
 */
export const worldReleases: readonly WorldRelease[] = [
  ...USD_RELEASES,
  ...EUR_RELEASES,
  ...GBP_RELEASES,
  ...JPY_RELEASES,
  ...CHF_RELEASES,
  ...CAD_RELEASES,
  ...AUD_RELEASES,
  ...NZD_RELEASES,
];
