import { readDecimal } from "@/lib/feeds/files/byte-numbers";
import { createRow, type PriceRows } from "@/lib/feeds/files/price-rows";
import { StampReader } from "@/lib/feeds/files/stamp-reader";
import type { TextLayout } from "@/lib/feeds/files/text-layout";
import type { TextLines } from "@/lib/feeds/replay/text-lines";
import { BLANK, QUOTE } from "@/lib/text/ascii";
import { createLocalClock } from "@/lib/time/local-clock";
import { DAY_MS } from "@/lib/time/units";

const MAX_DESCRIBED = 120;
const MAX_FIELDS = 64;

interface Options {
  readonly layout: TextLayout;
  /** The zone of times without an offset. */
  readonly zone: string;
  /** The day of Lean's rows: the UTC milliseconds of its midnight on a UTC clock. */
  readonly dayMs: number | null;
}

/** The fields of the current line, without quotes and blanks around them. */
class Fields {
  readonly starts = new Int32Array(MAX_FIELDS);
  readonly ends = new Int32Array(MAX_FIELDS);
  count = 0;
  readonly #lines: TextLines;
  readonly #delimiter: number;

  constructor(lines: TextLines, delimiter: number) {
    this.#lines = lines;
    this.#delimiter = delimiter;
  }

  split(): void {
    const { bytes, end } = this.#lines;
    const delimiter = this.#delimiter;
    let { start } = this.#lines;
    let count = 0;
    for (let i = start; i <= end && count < MAX_FIELDS; i++) {
      if (i !== end && bytes[i] !== delimiter) continue;
      let [from, to] = [start, i];
      while (from < to && (bytes[from] === QUOTE || bytes[from] === BLANK)) from++;
      while (to > from && (bytes[to - 1] === QUOTE || bytes[to - 1] === BLANK)) to--;
      this.starts[count] = from;
      this.ends[count++] = to;
      start = i + 1;
    }
    this.count = count;
  }

  /** NaN for a field that is missing or no number. */
  readNumber(index: number): number {
    if (index >= this.count) return NaN;
    return readDecimal(this.#lines.bytes, this.starts[index] as number, this.ends[index] as number);
  }

  isEmpty(index: number): boolean {
    return index < this.count && this.starts[index] === this.ends[index];
  }
}

/** Reads the rows of a text file. */
export function openTextRows(lines: TextLines, { layout, zone, dayMs }: Options): PriceRows {
  const { at, delimiter, kind, isOfDay } = layout;
  const toUtc = createLocalClock(zone);
  const stamp = new StampReader();
  const fields = new Fields(lines, delimiter);
  let isHeading = layout.hasHeading;
  /** The last bid and ask: MetaTrader leaves out the one that did not change. */
  let bid = NaN;
  let ask = NaN;

  function readTime(): string | null {
    if (isOfDay) {
      const ms = fields.readNumber(at.time);
      if (!(ms >= 0 && ms < DAY_MS)) return "milliseconds of the day";
      rows.timeMs = toUtc((dayMs ?? 0) + Math.floor(ms));
      return null;
    }
    const [one, two] = at.date === -1 ? [at.time, -1] : [at.date, at.time];
    if (one >= fields.count || two >= fields.count) return "a time";
    const [start2, end2] = two === -1 ? [0, 0] : [fields.starts[two] as number, fields.ends[two] as number];
    if (!stamp.read(lines.bytes, fields.starts[one] as number, fields.ends[one] as number, start2, end2)) {
      return "a time like 2024-01-31 23:59:58.123";
    }
    rows.timeMs = stamp.isUtc ? stamp.ms : toUtc(stamp.ms);
    return null;
  }

  function readTick(): string | null {
    const keepsSides = layout.format === "metatrader 5";
    const newBid = keepsSides && fields.isEmpty(at.bid) ? bid : fields.readNumber(at.bid);
    const newAsk = keepsSides && fields.isEmpty(at.ask) ? ask : fields.readNumber(at.ask);
    if (Number.isNaN(newBid) || Number.isNaN(newAsk)) return "a bid and an ask";
    rows.bid = bid = newBid;
    rows.ask = ask = newAsk;
    return null;
  }

  function readBar(): string | null {
    rows.open = fields.readNumber(at.open);
    rows.high = fields.readNumber(at.high);
    rows.low = fields.readNumber(at.low);
    rows.close = fields.readNumber(at.close);
    rows.volume = at.volume === -1 ? 0 : Math.round(fields.readNumber(at.volume));
    if (Number.isNaN(rows.open + rows.high + rows.low + rows.close)) return "open, high, low and close";
    return Number.isNaN(rows.volume) ? "a volume" : null;
  }

  const rows: PriceRows = {
    ...createRow(),
    next() {
      if (!lines.next()) return false;
      if (isHeading) {
        isHeading = false;
        if (!lines.next()) return false;
      }
      fields.split();
      rows.at = lines.number;
      rows.fault = readTime() ?? (kind === "ticks" ? readTick() : readBar());
      return true;
    },
    describe() {
      const end = Math.min(lines.end, lines.start + MAX_DESCRIBED);
      return new TextDecoder("latin1").decode(lines.bytes.subarray(lines.start, end));
    },
  };
  return rows;
}
