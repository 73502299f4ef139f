import { type Asset, asset } from "@/lib/feeds/simulated/assets/asset";

/** Commodities and stock indices under their instruments' symbols, each in the currency it is quoted in. */
export const contracts: Readonly<Record<string, Asset>> = {
  USOIL: asset(59.8, 32, 4, "global"),
  UKOIL: asset(63.9, 6, 4, "global", "USOIL 0.93"),
  NATGAS: asset(4.4, 55, 12, "america"),
  COPPER: asset(5.05, 22, 6, "global"),

  US500: asset(6_650, 15, 0.7, "america"),
  US30: asset(46_500, 6, 0.6, "america", "US500 0.85"),
  NAS100: asset(24_600, 9, 0.8, "america", "US500 1.15"),
  US2000: asset(2_390, 12, 1.8, "america", "US500 1.05"),
  GER40: asset(23_500, 11, 0.5, "europe", "US500 0.6"),
  EU50: asset(5_600, 3, 2.5, "europe", "GER40 0.95"),
  FRA40: asset(8_050, 6, 1.5, "europe", "GER40 0.85"),
  UK100: asset(9_600, 8, 1, "europe", "GER40 0.5"),
  ESP35: asset(16_100, 8, 3, "europe", "GER40 0.8"),
  ITA40: asset(43_200, 8, 3, "europe", "GER40 0.85"),
  NED25: asset(935, 7, 2, "europe", "GER40 0.8"),
  SWI20: asset(12_650, 8, 2.5, "europe", "GER40 0.5"),
  JP225: asset(49_200, 17, 1.5, "asia", "US500 0.5"),
  AUS200: asset(8_500, 11, 1.6, "oceania", "US500 0.35"),
  HK50: asset(25_700, 22, 2.5, "asia"),
  CHINA50: asset(15_100, 12, 5, "asia", "HK50 0.5"),
  SING30: asset(415, 9, 6, "asia", "HK50 0.3"),
};
