import { connect, createServer, type Socket } from "node:net";

/** Forwards connections to a server at an address of its own, and interrupts them. */
export async function startCutter(url: string) {
  const { protocol, hostname, port } = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isOpen = true;
  let isSilent = false;
  const server = createServer((socket) => {
    if (!isOpen) return socket.destroy();
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
    if (!isSilent) forward(pair);
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
      isOpen = false;
      cut();
    },
    /** Forwards nothing until `restore`, and keeps all connections open. */
    silence() {
      isSilent = true;
      for (const [socket, target] of pairs) {
        socket.unpipe(target);
        target.unpipe(socket);
      }
    },
    restore() {
      isOpen = true;
      if (isSilent) pairs.forEach(forward);
      isSilent = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}

function forward([socket, target]: readonly [Socket, Socket]): void {
  socket.pipe(target).pipe(socket);
}
