import type { ServerResponse } from "node:http";
import type { Answer } from "@/lib/api/engine/answer";
import { parseHeaderLines } from "@/lib/api/engine/call";
import type { PriceStream } from "@/lib/api/stream/price-stream";
import type { StreamReader } from "@/lib/api/stream/stream-format";
import { eventFormat } from "@/lib/api/stream/stream-format";

/** How long a client waits before it connects again, unless a later event tells otherwise. */
const RETRY_MS = 2_000;

/** Answers a call with a stream of server-sent events. It ends with its connection, so it needs no chunks. */
export function sendEvents(
  response: ServerResponse,
  stream: PriceStream,
  { status, headers }: Pick<Answer, "status" | "headers">,
): void {
  for (const [name, value] of parseHeaderLines(headers)) response.setHeader(name, value);
  response.shouldKeepAlive = false;
  response.useChunkedEncodingByDefault = false;
  response.writeHead(status);
  response.write(`retry: ${RETRY_MS}\n\n`);
  response.once("close", () => stream.close());
  if (response.destroyed) stream.close();
  else stream.open(createEventReader(response), response.req.headers["last-event-id"]?.toString() ?? null);
}

function createEventReader(response: ServerResponse): StreamReader {
  return {
    format: eventFormat,
    countWaiting: () => response.writableLength,
    write: (bytes, onTaken) => void response.write(bytes, onTaken),
    finish: () => void response.end(),
    end(reason, retryMs) {
      response.end(`retry: ${retryMs}\nevent: end\ndata: ${reason.body()}\n\n`);
      // A client that takes nothing would keep its connection until the server's own time limit.
      setTimeout(() => response.destroy(), CLOSE_MS).unref();
    },
    destroy: () => void response.destroy(),
  };
}

const CLOSE_MS = 2_000;
