import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { splitTarget } from "@/lib/api/engine/call";
import { hasUnfinishedAnswer } from "@/lib/http/pipelines";

type Upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

/**
 * Passes requests to upgrade a connection to what answers their path. All others are answered as if they had not asked,
 * which HTTP allows: node:http would close their connections.
 */
export function routeUpgrades(server: Server, find: (path: string) => Upgrade | null): void {
  server.on("upgrade", (request, socket: Socket, head) => {
    const ignore = () => {};
    // node:http no longer listens for errors, and one without a listener would end the process.
    socket.on("error", ignore);
    // A complete answer to an earlier request has left the connection by the next turn.
    setImmediate(() => {
      socket.off("error", ignore);
      // Behind an unfinished one node:http would never send another, and a message would be written into its middle.
      if (hasUnfinishedAnswer(socket)) socket.destroy();
      else if (!socket.destroyed) pass(request, socket, head);
    });
  });

  function pass(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const isSocket = request.headers.upgrade?.toLowerCase() === "websocket" && request.method === "GET";
    const upgrade = isSocket ? find(splitTarget(request.url ?? "/").path) : null;
    if (upgrade === null) answerWithoutUpgrade(server, request, socket, head);
    else upgrade(request, socket, head);
  }
}

/** Gives the connection back to the server, with the request as it was without the upgrade. */
function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    text += `${name}: ${name.toLowerCase() === "connection" ? removeUpgrade(value) : value}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

/** Removes the token from a Connection header. A header without tokens has no effect. */
function removeUpgrade(value: string): string {
  return value
    .split(",")
    .filter((token) => token.trim().toLowerCase() !== "upgrade")
    .join(",");
}
