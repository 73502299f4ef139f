import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { openVenue, type VenueOptions } from "@/e2e/venues/kit/open-venue";

/** Opens a venue that closes when the test ends. */
export async function open(options: VenueOptions) {
  const venue = await openVenue(options);
  onTestFinished(() => venue.close());
  return venue;
}

/** A WebSocket client that keeps what it receives. */
export async function connectWebSocket(url: string, headers: Readonly<Record<string, string>> = {}) {
  const socket = new WebSocket(url, { headers });
  const messages: string[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason) })),
  );
  socket.on("message", (data) => messages.push(String(data)));
  socket.on("error", () => {});
  await Promise.race([once(socket, "open"), closed]);
  return { socket, messages, closed };
}

/** Keeps the pieces that a socket receives. */
export function collect(socket: Socket) {
  const pieces: Buffer[] = [];
  socket.on("error", () => {});
  socket.on("data", (piece) => pieces.push(piece));
  return { pieces, closed: once(socket, "close"), text: () => Buffer.concat(pieces).toString() };
}

export const connectTcp = (url: string) => connect(Number(new URL(url).port), "127.0.0.1");
