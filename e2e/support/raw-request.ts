import { type IncomingHttpHeaders, request, type RequestOptions } from "node:http";
import { connect } from "node:net";

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a target as it is, over a connection of its own; `fetch` would normalise it. */
export function sendRaw(options: RequestOptions, sentBody = ""): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const sending = request({ ...options, agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sending.on("error", reject).end(sentBody);
  });
}

/** Sends bytes as they are and reads until the server closes. */
export function sendBytes(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(text, "latin1"));
    socket.on("data", (chunk) => (received += chunk.toString()));
    socket.on("close", () => resolve(received));
    socket.on("error", (error) => (received === "" ? reject(error) : resolve(received)));
    socket.setTimeout(10_000, () => socket.destroy(new Error("no answer")));
  });
}
