import { type Asset, asset } from "@/lib/feeds/simulated/assets/asset";

const american = (value: number, volatility: number, spreadBp = 2.5, share = 0.9) =>
  asset(value, volatility, spreadBp, "america", `US500 ${share}`);
const european = (value: number, volatility: number, spreadBp = 5) =>
  asset(value, volatility, spreadBp, "europe", "GER40 0.8");

/** Shares under their instruments' symbols, each in its listing's currency. */
export const shares: Readonly<Record<string, Asset>> = {
  AAPL: american(270, 22, 1.5, 1.1),
  AMD: american(225, 42, 2.5, 1.5),
  AMZN: american(225, 24, 1.8, 1.2),
  BA: american(185, 30),
  BABA: american(155, 38),
  BAC: american(52, 20, 3),
  COIN: american(262, 60, 5, 1.6),
  CVX: american(153, 20),
  DIS: american(106, 23),
  GOOGL: american(288, 25, 1.8, 1.1),
  INTC: american(36, 45, 4, 1.2),
  JNJ: american(200, 15, 2.5, 0.4),
  JPM: american(305, 18),
  KO: american(71, 13, 3, 0.4),
  MCD: american(306, 15, 2.5, 0.4),
  META: american(600, 28, 2, 1.2),
  MSFT: american(482, 18, 1.5, 1),
  NFLX: american(108, 30, 3, 1),
  NKE: american(63, 30, 3),
  NVDA: american(184, 35, 1.8, 1.6),
  ORCL: american(213, 38, 3, 1.2),
  PFE: american(25, 20, 4, 0.5),
  TSLA: american(405, 45, 2, 1.6),
  V: american(328, 16),
  WMT: american(102, 17, 3, 0.5),
  XOM: american(118, 19),

  "ADS.DE": european(160, 26),
  "ALV.DE": european(365, 14, 4),
  "BMW.DE": european(86, 24),
  "DBK.DE": european(30.5, 27),
  "SAP.DE": european(212, 22, 3.5),
  "SIE.DE": european(228, 20, 3.5),
  "VOW3.DE": european(97, 25),
  "AIR.FR": european(207, 22),
  "BNP.FR": european(71, 22),
  "MC.FR": european(625, 26, 4),
  "OR.FR": european(362, 19),
  "ASML.NL": european(870, 30, 4),
  "NESN.CH": european(79.5, 15),
  "NOVN.CH": european(103, 15),
};
