import { connect } from "node:net";
import type { Quote } from "@/e2e/support/event-client";

/** Shared by the tests of streams. */

/** What POST /v1/quotes answers, by symbol. */
export async function readQuotes(
  { url }: { readonly url: string },
  key: string,
  symbols: readonly string[],
): Promise<Map<string, Quote>> {
  const response = await fetch(`${url}/v1/quotes`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ symbols }),
  });
  const { data } = (await response.json()) as { data: { quotes: Quote[] } };
  return new Map(data.quotes.map((quote) => [quote.symbol, quote]));
}

/** Reads so many bytes of a stream, then kills the connection. */
export function readSome(
  url: string,
  path: string,
  key: string,
  lastId: string | null,
  bytes: number,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nLast-Event-ID: ${lastId ?? ""}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(head));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const body = received.slice(received.indexOf("\r\n\r\n") + 4);
      if (!received.includes("\r\n\r\n") || body.length < bytes) return;
      socket.destroy();
      resolve(body.slice(0, bytes));
    });
    socket.on("error", reject);
  });
}
