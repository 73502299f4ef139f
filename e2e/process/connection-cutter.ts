import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What PostgreSQL says to a connection beyond its limit: "FATAL", 53300, the text. */
const TOO_MANY = ["SFATAL", "VFATAL", "C53300", "Msorry, too many clients already"]
  .map((field) => `${field}\0`)
  .join("");

/** Forwards connections to a server at an address of its own, and interrupts them. */
export async function startCutter(url: string) {
  const { protocol, hostname, port } = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let fault: "refuse" | "be full" | null = null;
  let delayMs = 0;
  /** Every so many answers one is cut in its middle; 0 for none. */
  let cutEvery = 0;
  let answers = 0;
  let [opened, open]: [Promise<void> | null, () => void] = [null, () => {}];

  /** Passes bytes on in their order, when the faults of the moment of their arrival let them. */
  function relay(from: Socket, to: Socket, isAnswer: boolean): void {
    let passing = Promise.resolve();
    from.on("data", (bytes: Buffer) => {
      const dueMs = performance.now() + (isAnswer ? delayMs : 0);
      const isCut = isAnswer && cutEvery > 0 && ++answers % cutEvery === 0;
      // A test that changes nothing at this moment is not slower.
      if (opened === null && delayMs === 0 && !isCut) passing = passing.then(() => void to.write(bytes));
      else {
        passing = passing.then(async () => {
          await opened;
          await sleep(Math.max(0, dueMs - performance.now()));
          to.write(isCut ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes);
          if (isCut) to.destroySoon();
        });
      }
    });
  }

  const server = createServer((socket) => {
    if (fault === "refuse") return socket.destroy();
    if (fault === "be full") {
      const length = Buffer.alloc(4);
      length.writeInt32BE(TOO_MANY.length + 5);
      socket.on("error", () => socket.destroy());
      return socket.once("data", () =>
        socket.end(Buffer.concat([Buffer.from("E"), length, Buffer.from(`${TOO_MANY}\0`)])),
      );
    }
    const target = connect(Number(port), hostname);
    const pair = [socket, target] as const;
    pairs.add(pair);
    for (const each of pair) {
      each.on("error", () => each.destroy());
      each.on("close", () => {
        pair.forEach((end) => end.destroy());
        pairs.delete(pair);
      });
    }
    relay(socket, target, false);
    relay(target, socket, true);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = () => pairs.forEach(([socket]) => socket.destroy());
  return {
    url: `${protocol}//127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    /** Ends the open connections. */
    cut,
    /** Ends the open connections and refuses others until `restore`. */
    refuse() {
      fault = "refuse";
      cut();
    },
    /** Ends the open connections and says to others, as PostgreSQL does, that there are too many, until `restore`. */
    beFull() {
      fault = "be full";
      cut();
    },
    /** Forwards nothing until `restore`, and keeps all connections open. */
    silence() {
      opened ??= new Promise((resolve) => (open = resolve));
    },
    /** Delays the server's answers until `restore`. */
    delay: (ms: number) => void (delayMs = ms),
    /** Ends a connection in the middle of every so many answers of the server, until `restore`. */
    cutAnswers: (every: number) => void (cutEvery = every),
    restore() {
      fault = null;
      [delayMs, cutEvery] = [0, 0];
      opened = null;
      open();
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
