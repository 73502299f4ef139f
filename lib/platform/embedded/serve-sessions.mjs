// Serves PGlite at a local socket, to Spotline's own processes and to other programs.
import { createServer } from "node:net";
import { PGLiteSocketHandler } from "@electric-sql/pglite-socket";
import { isFlush, leavesStatementOpen, mayWait, serializeFatal } from "./protocol.mjs";
import { SessionQueue } from "./session-queue.mjs";

/** Enough for the server's pool and those of a few commands. */
const MAX_CONNECTIONS = 64;
/** PostgreSQL's code for a transaction that took too long. */
const TRANSACTION_TIMEOUT = "25P04";

/** Resolves once connections are accepted. For the options see `SessionQueue`. */
export async function serveSessions(pglite, socketPath, options) {
  const queue = new SessionQueue(pglite, options);
  const handlers = new Set();
  const server = createServer((socket) => {
    const handler = new PGLiteSocketHandler({ queryQueue: sendTogether(queue, socket), closeOnDetach: true });
    const id = handler.handlerId;
    handlers.add(handler);
    queue.open(id, (sentence) => {
      // The client may not read, so its transaction ends first.
      queue.clearQueueForHandler(id);
      void queue.clearTransactionIfNeeded(id);
      send(socket);
      socket.write(serializeFatal(TRANSACTION_TIMEOUT, sentence), () => void handler.detach(true));
    });
    for (const end of ["close", "error"]) handler.addEventListener(end, () => handlers.delete(handler));
    void handler.attach(socket);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  return {
    queue,
    /** Ends every connection; rolls back what they left open. */
    async stop() {
      server.close();
      await Promise.all(Array.from(handlers, (handler) => handler.detach(true)));
    },
  };
}

/**
 * The same queue, for one connection: the answers to the messages of a statement are sent together, at its end. Errors are
 * sent at once, because a database that panics ends with this thread.
 */
function sendTogether(queue, socket) {
  return {
    async enqueue(id, message, onData) {
      if (socket.writableCorked === 0) socket.cork();
      const onAnswer = (answer) => {
        onData(answer);
        if (!mayWait(answer)) send(socket);
      };
      let isEnd = true;
      try {
        const size = await queue.enqueue(id, message, onAnswer);
        isEnd = isFlush(message) || !leavesStatementOpen(message, false);
        return size;
      } finally {
        if (isEnd) send(socket);
      }
    },
    clearQueueForHandler: (id) => queue.clearQueueForHandler(id),
    clearTransactionIfNeeded: (id) => queue.clearTransactionIfNeeded(id),
  };
}

function send(socket) {
  if (socket.writableCorked > 0) socket.uncork();
}
