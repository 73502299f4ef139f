import type { FeedKind } from "@/lib/feeds/kinds/feed-kind";
import { definePublicVenue, defineTokenVenue } from "@/lib/feeds/kinds/web-socket-kind";
import { mt5Kind } from "@/lib/feeds/mt5/mt5-kind";
import { replayKind } from "@/lib/feeds/replay/replay-kind";
import { simulatedKind } from "@/lib/feeds/simulated/simulated-kind";
import { binance } from "@/lib/feeds/venues/binance/binance";
import { coinbase } from "@/lib/feeds/venues/coinbase/coinbase";
import { ctraderKind } from "@/lib/feeds/venues/ctrader/ctrader-kind";
import { deriv } from "@/lib/feeds/venues/deriv/deriv";
import { fixKind } from "@/lib/feeds/venues/fix/fix-kind";
import { kraken } from "@/lib/feeds/venues/kraken/kraken";
import { massive } from "@/lib/feeds/venues/massive/massive";
import { oandaKind } from "@/lib/feeds/venues/oanda/oanda-kind";
import { tiingo } from "@/lib/feeds/venues/tiingo/tiingo";
import { traderMade } from "@/lib/feeds/venues/tradermade/tradermade";
import { twelveData } from "@/lib/feeds/venues/twelve-data/twelve-data";

/** Every kind of feed. A new connector is one entry here. */
export const KINDS = [
  simulatedKind,
  replayKind,
  mt5Kind,
  definePublicVenue("binance", binance),
  definePublicVenue("coinbase", coinbase),
  ctraderKind,
  definePublicVenue("deriv", deriv),
  fixKind,
  definePublicVenue("kraken", kraken),
  defineTokenVenue("massive", massive, "an API key with access to the currencies' WebSocket"),
  oandaKind,
  defineTokenVenue("tiingo", tiingo, "an API token with access to forex data"),
  defineTokenVenue("tradermade", traderMade, "an API key for streaming data"),
  defineTokenVenue("twelve-data", twelveData, "an API key with access to the WebSocket"),
] as const;

const kindByName: ReadonlyMap<string, FeedKind> = new Map(KINDS.map((kind) => [kind.kind, kind]));

export const KIND_NAMES: readonly string[] = [...kindByName.keys()];

export function findKind(name: string): FeedKind | undefined {
  return kindByName.get(name);
}
