import { formatFixTime } from "@/e2e/venues/kit/fix-text";
import { openVenue } from "@/e2e/venues/kit/open-venue";
import { instruments } from "@/lib/market/catalog";
import { SECOND_MS } from "@/lib/time/units";

/** A venue in a process of its own that sends prices of every symbol: BOARD_CHANGES a second each. Prints its address. */

const STEP_MS = 10;
const BASE = 100;
const perSecond = Number(process.env.BOARD_CHANGES) * instruments.length;

const venue = await openVenue({
  transport: "websocket",
  async onConnection(connection) {
    await connection.receive();
    await connection.send('{"type":"login_ok"}');
    await connection.receive();
    await connection.send('{"type":"sub_ack","accepted":[],"denied":[],"denied_reasons":{},"invalid":[]}');
    const startedAtMs = performance.now();
    let sent = 0;
    while (connection.isOpen) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      const due = ((performance.now() - startedAtMs) * perSecond) / SECOND_MS;
      for (; sent < due; sent++) await connection.send(writeQuote(sent));
    }
  },
});

/** Each round over the symbols has another price. */
function writeQuote(count: number): string {
  const { symbol = "", digits = 0 } = instruments[count % instruments.length] ?? {};
  const step = 10 ** -digits;
  const bid = BASE + (Math.floor(count / instruments.length) % 50) * step;
  const [b, a] = [bid.toFixed(digits), (bid + 2 * step).toFixed(digits)];
  return `{"t":"QUOTE","s":"${symbol}","b":"${b}","a":"${a}","ts":"${formatFixTime(Date.now())}"}`;
}

console.log(venue.url);
