import type { CreateProtocol } from "@/lib/feeds/live/connector";
import type { RecordedFrame } from "@/lib/feeds/live/frame-recorder";
import type { Tick } from "@/lib/market/bar";

/**
 * Reads recorded frames of one source with a protocol and returns the ticks that they contain. The clock is that of the
 * recording, and each recorded connection has a new protocol. What the protocol sends is not compared. A line that a
 * full disk or a killed process cut off is left out.
 */
export function replayFrames(lines: Iterable<string>, source: string, createProtocol: CreateProtocol): Tick[] {
  const ticks: Tick[] = [];
  let nowMs = 0;
  const connect = () =>
    createProtocol({
      now: () => nowMs,
      send: () => {},
      subscribed: () => {},
      price: (brokerSymbol, bid, ask, venueTimeMs) =>
        ticks.push({ source, brokerSymbol, bid, ask, brokerTimeMs: venueTimeMs ?? nowMs, receivedAtMs: nowMs }),
      // What is subscribed to does not depend on the catalog here.
      symbols: (_, then) => then(),
      warn: () => {},
    });
  let protocol = connect();
  for (const line of lines) {
    const frame = readFrame(line);
    if (frame?.source !== source) continue;
    nowMs = frame.atMs;
    try {
      if (frame.direction === "opened") {
        protocol = connect();
        protocol.opened();
      } else if (frame.direction === "received") {
        protocol.received("text" in frame ? frame.text : Buffer.from(frame.bytes, "base64"));
      }
    } catch {
      // It ended the recorded connection too: the next one follows.
    }
  }
  return ticks;
}

function readFrame(line: string): RecordedFrame | null {
  try {
    return line === "" ? null : (JSON.parse(line) as RecordedFrame);
  } catch {
    return null;
  }
}
