import { connect, createServer, type Socket } from "node:net";

/** Forwards connections to a server, and cuts those that are open. */
export async function startCutter(url: string) {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const target = connect(Number(port), hostname);
    for (const each of [socket, target]) {
      open.add(each);
      each.on("error", () => each.destroy()).on("close", () => open.delete(each));
    }
    socket.pipe(target).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    cut,
    close: () => {
      cut();
      server.close();
    },
  };
}
