import { createInterface } from "node:readline";
import { formatFixTime } from "@/e2e/venues/kit/fix-text";
import { openVenue } from "@/e2e/venues/kit/open-venue";
import { SECOND_MS } from "@/lib/time/units";

/**
 * A venue in a process of its own, so that its work does not delay the caller of the test: TraderMade's protocol, with
 * prices of EURUSD. Prints its address. Each line it reads is how many prices it sends a second from then on; it prints
 * how many it has sent.
 */

const STEP_MS = 10;

let [perSecond, sent] = [0, 0];

const venue = await openVenue({
  transport: "websocket",
  async onConnection(connection) {
    await connection.receive();
    await connection.send('{"type":"login_ok","symbol_limit":54}');
    await connection.receive();
    await connection.send(
      '{"type":"sub_ack","accepted":["EURUSD:QUOTE"],"denied":[],"denied_reasons":{},"invalid":[]}',
    );
    let due = 0;
    while (connection.isOpen) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      for (due += (perSecond * STEP_MS) / SECOND_MS; due >= 1; due--) {
        const bid = (1.1 + (sent % 100) / 1e5).toFixed(5);
        const ask = (1.10012 + (sent % 100) / 1e5).toFixed(5);
        await connection.send(
          `{"t":"QUOTE","s":"EURUSD","b":"${bid}","a":"${ask}","ts":"${formatFixTime(Date.now())}"}`,
        );
        sent++;
      }
    }
  },
});

createInterface({ input: process.stdin }).on("line", (line) => {
  perSecond = Number(line);
  console.log(sent);
});
console.log(venue.url);
