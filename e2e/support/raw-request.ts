import { type IncomingHttpHeaders, request, type RequestOptions } from "node:http";

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
