import type { RequestForm } from "@/lib/feeds/venues/fix/market-data/subscriptions";

/** What a venue's kind of FIX needs, unless the operator's settings say something else. */
export interface Profile extends RequestForm {
  /** Undefined where each broker has its own. */
  readonly host?: string;
  readonly port?: number;
  readonly tls: boolean;
  readonly targetCompId?: string;
  readonly senderSubId: string;
  readonly targetSubId: string;
  readonly heartbeatSeconds: number;
  /** Whether the logon sets both numberings back to 1 (141=Y). */
  readonly resetOnLogon: boolean;
}

const common = { tls: true, heartbeatSeconds: 30, resetOnLogon: true, symbolsPerRequest: 1 } as const;

export const PROFILES = {
  /** LMAX; the host is that of the London demo, whose accounts are free. Every message is a whole snapshot. */
  lmax: {
    ...{ ...common, host: "fix-marketdata.london-demo.lmax.com", port: 443, targetCompId: "LMXBDM" },
    ...{ senderSubId: "", targetSubId: "", symbolForm: "security", marketDepth: 1, updateType: 0 },
  },
  /** Brokers with cTrader. There, 264=1 is the best price although its snapshots come with 265=1. */
  ctrader: {
    ...{ ...common, port: 5211, targetCompId: "CSERVER", senderSubId: "QUOTE", targetSubId: "QUOTE" },
    ...{ symbolForm: "number", marketDepth: 1, updateType: 1 },
  },
  /** Liquidity providers after the specification, with names like EUR/USD. */
  generic: {
    ...{ ...common, senderSubId: "", targetSubId: "", symbolForm: "name", marketDepth: 1, updateType: 0 },
  },
} as const satisfies Readonly<Record<string, Profile>>;
