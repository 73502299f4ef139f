import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * The systems that tests run on give a connection its own port above this range, so no call can take a port of it. It
 * begins after 10080, the last port that `fetch` and browsers refuse.
 */
const TEST_PORTS = { first: 10_081, end: 30_000 } as const;

/** Finds a port of 127.0.0.1 that is free and that no outgoing connection takes. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(TEST_PORTS.first, TEST_PORTS.end);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
