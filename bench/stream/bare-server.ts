import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { instruments } from "@/lib/market/catalog";

/** The reference: a bare WebSocket server that sends the same messages, without keys, limits or positions. */

const ROUND_MS = 50;
const perSecond = Number(process.env.BENCH_CHANGES);
const clients = new Map<WebSocket, ReadonlySet<string>>();
const http = createServer((_, response) => void response.end("{}"));
new WebSocketServer({ server: http, perMessageDeflate: false }).on("connection", (socket, { url = "" }) => {
  clients.set(socket, new Set(new URL(url, "http://a").searchParams.get("symbols")?.split(",")));
  socket.on("close", () => clients.delete(socket));
});
http.listen(Number(process.env.PORT), "127.0.0.1", () => process.stdout.write("ready\n"));

const startedAtMs = performance.now();
let changes = 0;
let changed: { symbol: string; quote: string }[] = [];
setInterval(() => {
  for (const due = ((performance.now() - startedAtMs) * perSecond) / 1_000; changes < due; changes++) {
    const symbol = instruments[changes % instruments.length]?.symbol ?? "";
    const [bid, time] = [1 + (changes % 1_000), new Date().toISOString()];
    const price = `"bid":${bid},"ask":${bid + 7},"spread":7,"spread_pips":70000`;
    changed.push({ symbol, quote: `{"symbol":"${symbol}",${price},"timestamp":"${time}","source":"alpha-markets"}` });
  }
}, 4);
setInterval(() => {
  for (const [socket, symbols] of clients) {
    const quotes = changed.filter(({ symbol }) => symbols.has(symbol)).map(({ quote }) => quote);
    if (quotes.length === 0) continue;
    const text = `{"type":"update","id":"0123456789ab-1000000-01234567","quotes":[${quotes.join(",")}],"states":[]}`;
    socket.send(Buffer.from(text), { binary: false });
  }
  changed = [];
}, ROUND_MS);
