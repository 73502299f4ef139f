import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as it arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly url: string | undefined;
  readonly body: string;
}

/** A receiver of webhooks over a real socket. */
export async function startReceiver(answer: (response: ServerResponse) => void = (response) => response.end("ok")) {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push({ headers: request.headers, url: request.url, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { received, port, url: `http://127.0.0.1:${port}/hook?a=1`, close };
}

/** Verifies a message as its receiver would, with nothing of ours. */
export function verifyMessage(secret: string, { headers, body }: Received): boolean {
  const [version, signature = ""] = String(headers["webhook-signature"]).split(",");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", key).update(content).digest();
  return version === "v1" && timingSafeEqual(expected, Buffer.from(signature, "base64"));
}
