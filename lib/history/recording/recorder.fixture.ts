import type { SecondRow } from "@/lib/history/hour-columns";
import { OpenHoursKeeper } from "@/lib/history/open-hours";
import { Recorder } from "@/lib/history/recording/recorder";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
export const BITCOIN = instrumentBySymbol.get("BTCUSD") as Instrument;
export const START_MS = Date.parse("2026-03-04T10:00:00Z");
export const START = START_MS / 1000;

/**
 * A recorder whose journal is a map with the rules of the real one. The map can refuse a batch, or store it without an
 * answer.
 */
export function openRecorder(
  options: { journal?: Map<string, SecondRow>; closedHours?: number[]; maxWaiting?: number } = {},
) {
  const instruments = [EURUSD, BITCOIN];
  const journal = options.journal ?? new Map<string, SecondRow>();
  const openHours = new OpenHoursKeeper(instruments);
  for (const row of journal.values()) openHours.write(row);
  const acknowledged: SecondRow[] = [];
  const state = { nowMs: START_MS, served: "a", database: "up" as "up" | "down" | "silent" };
  const recorder = new Recorder({
    openHours,
    closedHours: options.closedHours ?? [],
    maxWaiting: options.maxWaiting,
    servedSource: () => state.served,
    marketNow: () => state.nowMs,
    async append(rows) {
      if (state.database === "down") throw new Error("no database");
      for (const row of rows) {
        const before = journal.get(`${row.symbol} ${row.second}`);
        if (before === undefined || before.updates <= row.updates) {
          const { symbol, digits, second, bid, ask, open: first, high, low, updates } = row;
          journal.set(`${symbol} ${second}`, { symbol, digits, second, bid, ask, open: first, high, low, updates });
        }
      }
      if (state.database === "silent") throw new Error("no answer");
    },
    onRecorded(rows, completeUntilMs) {
      for (const row of rows) openHours.write(row);
      openHours.advance(completeUntilMs);
      acknowledged.push(...rows.map((row) => ({ ...row })));
    },
  });
  function quote(timeMs: number, points: number, source = state.served, instrument = EURUSD) {
    const scale = 10 ** instrument.digits;
    const price = { bid: points / scale, ask: (points + 7) / scale };
    recorder.onQuote({ source, instrument, ...price, timeMs, receivedAtMs: timeMs });
  }
  return { recorder, openHours, journal, acknowledged, state, quote, rows: () => [...journal.values()] };
}

export function row(
  second: number,
  open: number,
  high: number,
  low: number,
  close: number,
  updates: number,
): SecondRow {
  return { symbol: "EURUSD", digits: 5, second, bid: close, ask: close + 7, open, high, low, updates };
}
