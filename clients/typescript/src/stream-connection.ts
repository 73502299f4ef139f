import { ConnectionError } from "./errors.js";
import { EventParser, type ServerEvent } from "./event-parser.js";

/**
 * Reads the events of one connection, as fast as the caller takes them. Ends when the server closes it. Throws a
 * ConnectionError if nothing comes for too long: a server sends a heartbeat every ten seconds.
 */
export async function* readEvents(
  { body }: Pick<Response, "body">,
  idleMs: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), idleMs);
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // A connection that was lost cannot be cancelled.
    void reader.cancel().catch(() => {});
  }
}

function withinTime<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ConnectionError(`The stream sent nothing for ${ms} ms.`)), ms);
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
