import { readStamp } from "@/lib/feeds/replay/csv-stamp";
import type { TickRows } from "@/lib/feeds/replay/recorded-file";
import type { TextLines } from "@/lib/feeds/replay/text-lines";

const PRICE = /^\d{1,12}(\.\d{1,12})?$/;
const text = new TextDecoder("latin1");

/**
 * Reads lines of `time,bid,ask`; further fields are ignored. The symbol may come first, as in TrueFX's own files, and
 * the first line may be a heading.
 */
export function openCsvRows(lines: TextLines, zone: string | undefined): TickRows {
  let isFirst = true;

  function readRow(): boolean {
    const fields = text.decode(lines.bytes.subarray(lines.start, lines.end)).split(",", 5);
    if (/^[A-Z]/i.test(fields[0] ?? "") && fields.length > 3) fields.shift();
    const [stamp = "", bid = "", ask = ""] = fields;
    const timeMs = readStamp(stamp, zone);
    if (timeMs === null || !PRICE.test(bid) || !PRICE.test(ask)) return false;
    rows.timeMs = timeMs;
    rows.bid = Number(bid);
    rows.ask = Number(ask);
    return true;
  }

  const rows: TickRows = {
    timeMs: 0,
    bid: 0,
    ask: 0,
    malformed: 0,
    next() {
      while (lines.next()) {
        const isHeading = isFirst;
        isFirst = false;
        if (readRow()) return true;
        if (!isHeading) rows.malformed++;
      }
      return false;
    },
  };
  return rows;
}
