import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

const FIRST_MONDAY = Date.UTC(2020, 0, 6);
const TICKS_A_SECOND = 5;
const LINES_PER_PIECE = 1_000;

/** The text of a generated file, in pieces of many lines: weekdays only, prices that move by a few points. */
export function* createCase(kind: "ticks" | "bars", rows: number): Generator<string> {
  if (kind === "ticks") yield "time,bid,ask\n";
  const step = kind === "ticks" ? 1_000 / TICKS_A_SECOND : MINUTE_MS;
  let timeMs = FIRST_MONDAY;
  let [state, points] = [1, 108_000];
  let piece = "";
  for (let row = 1; row <= rows; row++) {
    state = (state * 48_271) % 2_147_483_647;
    points = Math.min(120_000, Math.max(90_000, points + (state % 7) - 3));
    piece += kind === "ticks" ? formatTick(timeMs + (state % 150), points, state) : formatBar(timeMs, points, state);
    if (row % LINES_PER_PIECE === 0 || row === rows) {
      yield piece;
      piece = "";
    }
    timeMs += step;
    if (new Date(timeMs).getUTCDay() === 6) timeMs += 2 * DAY_MS;
  }
}

const price = (points: number) => (points / 1e5).toFixed(5);

function formatTick(timeMs: number, points: number, state: number): string {
  const time = new Date(timeMs).toISOString();
  return `${time.slice(0, 10)} ${time.slice(11, 23)},${price(points)},${price(points + 2 + (state % 6))}\n`;
}

function formatBar(timeMs: number, points: number, state: number): string {
  const time = new Date(timeMs).toISOString().replace(/\D/g, "");
  const [high, low] = [points + (state % 9), points - (state % 5)];
  return `${time.slice(0, 8)} ${time.slice(8, 14)};${price(points)};${price(high)};${price(low)};${price(points)};0\n`;
}
