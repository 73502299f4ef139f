import { decodeLzma } from "@/lib/feeds/replay/lzma/lzma";
import type { TickRows } from "@/lib/feeds/replay/recorded-file";

const RECORD_BYTES = 20;

/**
 * Reads one hour of Dukascopy's ticks: LZMA ("alone" format) around records of twenty bytes, big-endian: milliseconds
 * of the hour, ask and bid in units of 10^-scale, and two volumes, which are ignored. An empty file is an hour without
 * ticks. Throws if the file has another format.
 */
export function openDukascopyRows(bi5: Uint8Array, hourMs: number, scale: number): TickRows {
  const bytes = bi5.length === 0 ? bi5 : decodeLzma(bi5);
  if (bytes.length % RECORD_BYTES !== 0) throw new Error("not an hour of ticks: its last record is incomplete");
  const records = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unitsPerPrice = 10 ** scale;
  let at = 0;
  const rows: TickRows = {
    timeMs: 0,
    bid: 0,
    ask: 0,
    malformed: 0,
    next() {
      if (at >= bytes.length) return false;
      rows.timeMs = hourMs + records.getUint32(at);
      rows.ask = records.getUint32(at + 4) / unitsPerPrice;
      rows.bid = records.getUint32(at + 8) / unitsPerPrice;
      at += RECORD_BYTES;
      return true;
    },
  };
  return rows;
}
