import type { SessionName } from "@/lib/market/sessions/session-hours";

/** How a week's movement is distributed over its hours: rates of variance relative to each other. */
interface Region {
  /** Summed over the open sessions; `quiet` is added in every weekday hour. */
  readonly sessions: Readonly<Record<SessionName, number>>;
  readonly quiet: number;
  readonly weekend: number;
}

export type RegionName = keyof typeof regions;

const hours = (
  quiet: number,
  weekend: number,
  [sydney, tokyo, london, new_york]: [number, number, number, number],
) => ({
  sessions: { sydney, tokyo, london, new_york },
  quiet,
  weekend,
});

/** All assets move most while London and New York overlap; currencies and shares also in their own day. */
export const regions = {
  america: hours(0.2, 0.06, [0.1, 0.2, 0.8, 1.7]),
  europe: hours(0.2, 0.06, [0.1, 0.25, 1.7, 1.1]),
  asia: hours(0.2, 0.06, [0.25, 1.1, 0.9, 0.9]),
  oceania: hours(0.2, 0.06, [0.6, 0.7, 0.8, 0.9]),
  global: hours(0.2, 0.06, [0.15, 0.35, 1.1, 1.6]),
  /** Coins trade at all times, with only slightly less movement at weekends. */
  coins: hours(0.8, 0.6, [0.1, 0.15, 0.3, 0.5]),
} as const satisfies Readonly<Record<string, Region>>;
