import { describe, expect, test } from "vitest";
import { PATIENCE, startFixFeed } from "@/e2e/venues/fix.fixture";
import type { VenueConnection } from "@/e2e/venues/kit/connection";
import type { FaultOptions } from "@/e2e/venues/kit/faults";
import { formatFixTime } from "@/e2e/venues/kit/fix-text";
import { readValue } from "@/e2e/venues/kit/messages";
import { open } from "@/e2e/venues/kit/testing.fixture";

const PRICES = 120;
const FIRST_MS = Date.UTC(2026, 10, 20, 12);

/** Snapshots at ten a second. */
function listSnapshots(): string[] {
  return Array.from({ length: PRICES }, (_, index) => {
    const [date, clock] = formatFixTime(FIRST_MS + index * 100).split("-");
    const bid = (1.1 + ((index * 7) % 40) / 1e5).toFixed(5);
    const entries = `268=2|269=0|270=${bid}|272=${date}|273=${clock}|269=1|270=1.20000|272=${date}|273=${clock}`;
    return `35=W|48=4001|22=8|${entries}`;
  });
}

/** A venue that keeps what it sends, and sends it again on request. Each connection gets all prices. */
async function serve(connection: VenueConnection): Promise<void> {
  const texts: string[] = [];
  const send = (text: string) => connection.send(`${text}|34=${texts.push(text)}`);
  async function resend(first: number): Promise<void> {
    for (const [index, text] of texts.entries()) {
      const number = index + 1;
      if (number < first) continue;
      const header = `34=${number}|43=Y|122=${formatFixTime(Date.now())}`;
      await connection.send(text.startsWith("35=W") ? `${text}|${header}` : `35=4|123=Y|36=${number + 1}|${header}`);
    }
  }
  async function answer(): Promise<void> {
    for (;;) {
      const { message } = await connection.receive();
      if (readValue(message, "35") === "2") await resend(Number(readValue(message, "7")));
    }
  }
  await connection.receive();
  await send("35=A|98=0|108=30|141=Y");
  await connection.receive();
  const answering = answer();
  answering.catch(() => {});
  for (const snapshot of listSnapshots()) await send(snapshot);
  for (;;) {
    // A message after the last price shows that it is missing.
    await connection.wait(20);
    await send("35=0");
  }
}

describe("the prices are the same as without faults", () => {
  /** With what shows that the fault has really happened. */
  const faults: readonly (readonly [string, FaultOptions, string])[] = [
    ["split after every byte", { split: "every byte" }, "connected"],
    ["split and joined anywhere", { split: "random", join: 0.5 }, "connected"],
    ["damaged copies between the messages", { garbage: 0.3, split: "random" }, "wrong length or checksum"],
    ["lost messages", { drop: 0.1 }, "resend requested"],
    ["messages that come twice", { seed: "twice", duplicate: 0.02 }, "MsgSeqNum too low"],
    ["messages in another order", { reorder: 0.1 }, "resend requested"],
    ["connections that break", { cut: { connections: 5, afterMessages: 60 } }, "disconnected"],
    [
      "all of them",
      { split: "random", join: 0.3, garbage: 0.1, drop: 0.02, reorder: 0.02, duplicate: 0.005 },
      "resend requested",
    ],
  ];
  const expected = Array.from({ length: PRICES }, (_, index) => FIRST_MS + index * 100);

  test.each(faults)("with %s", async (_, options, evidence) => {
    const transport = options.split === "every byte" || options.drop !== undefined ? "tcp" : "tls";
    const venue = await open({ transport, onConnection: serve, faults: { seed: "fix", ...options } });
    const { ticks, statuses, problems } = await startFixFeed(venue, { profile: "lmax", targetCompId: "VENUE" }, [
      "4001",
    ]);
    const times = () => [...new Set(ticks.map(({ brokerTimeMs }) => brokerTimeMs))].sort((a, b) => a - b);
    await expect.poll(() => times().length, PATIENCE).toBe(PRICES);
    expect(times()).toEqual(expected);
    const prices = new Set(ticks.map(({ bid, ask, brokerTimeMs }) => `${bid} ${ask} ${brokerTimeMs}`));
    expect(prices.size).toBe(PRICES);
    const hasRequested = venue.received.some(({ message }) => readValue(message, "35") === "2");
    expect([...statuses, ...problems, hasRequested ? "resend requested" : ""].join()).toContain(evidence);
  });
});
