import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import type { OpenWire, TlsTrust } from "@/lib/feeds/live/connector";
import { describeRefusal } from "@/lib/feeds/live/web-socket-wire";
import { SECOND_MS } from "@/lib/time/units";

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;

interface Options extends TlsTrust {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns a wire that reads the body of one endless HTTP response. Nothing can be sent over it. */
export function openHttpWire({ url, headers, ca }: Options): OpenWire {
  return (events) => {
    const open = url.startsWith("https:") ? requestTls : requestPlain;
    const request = open(url, { headers, ca });
    request.setTimeout(CONNECT_TIMEOUT_MS, () => {
      events.closed(new Error(`no response within ${CONNECT_TIMEOUT_MS} ms`));
    });
    request.on("response", (response) => {
      // From here on the feed watches for silence.
      request.setTimeout(0);
      if (response.statusCode !== 200) {
        response.resume();
        return events.closed(describeRefusal(response.statusCode ?? 0, response.headers["retry-after"]));
      }
      events.opened();
      response.on("data", (data: Buffer) => events.received(data));
      response.on("close", () => events.closed(new Error("closed by the venue")));
      response.on("error", (error: NodeJS.ErrnoException) => events.closed(new Error(error.code ?? error.message)));
    });
    request.on("error", (error: NodeJS.ErrnoException) => events.closed(new Error(error.code ?? error.message)));
    request.end();
    return {
      send() {
        throw new Error("Nothing can be sent over the body of a response");
      },
      destroy: () => request.destroy(),
    };
  };
}
